// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AssignRolesRequest as _rbac_v1_AssignRolesRequest, AssignRolesRequest__Output as _rbac_v1_AssignRolesRequest__Output } from '../../rbac/v1/AssignRolesRequest.ts';
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { CreateSalesChannelRequest as _rbac_v1_CreateSalesChannelRequest, CreateSalesChannelRequest__Output as _rbac_v1_CreateSalesChannelRequest__Output } from '../../rbac/v1/CreateSalesChannelRequest.ts';
import type { ListSalesChannelsRequest as _rbac_v1_ListSalesChannelsRequest, ListSalesChannelsRequest__Output as _rbac_v1_ListSalesChannelsRequest__Output } from '../../rbac/v1/ListSalesChannelsRequest.ts';
import type { ListSalesChannelsResponse as _rbac_v1_ListSalesChannelsResponse, ListSalesChannelsResponse__Output as _rbac_v1_ListSalesChannelsResponse__Output } from '../../rbac/v1/ListSalesChannelsResponse.ts';
import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';

export interface RbacAdministrationServiceClient extends grpc.Client {
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface RbacAdministrationServiceHandlers extends grpc.UntypedServiceImplementation {
  AssignRoles: grpc.handleUnaryCall<_rbac_v1_AssignRolesRequest__Output, _rbac_v1_Binding>;
  
  CreateSalesChannel: grpc.handleUnaryCall<_rbac_v1_CreateSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  ListSalesChannels: grpc.handleUnaryCall<_rbac_v1_ListSalesChannelsRequest__Output, _rbac_v1_ListSalesChannelsResponse>;
  
}

export interface RbacAdministrationServiceDefinition extends grpc.ServiceDefinition {
  AssignRoles: MethodDefinition<_rbac_v1_AssignRolesRequest, _rbac_v1_Binding, _rbac_v1_AssignRolesRequest__Output, _rbac_v1_Binding__Output>
  CreateSalesChannel: MethodDefinition<_rbac_v1_CreateSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_CreateSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  ListSalesChannels: MethodDefinition<_rbac_v1_ListSalesChannelsRequest, _rbac_v1_ListSalesChannelsResponse, _rbac_v1_ListSalesChannelsRequest__Output, _rbac_v1_ListSalesChannelsResponse__Output>
}
