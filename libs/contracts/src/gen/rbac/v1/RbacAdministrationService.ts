// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AssignRolesRequest as _rbac_v1_AssignRolesRequest, AssignRolesRequest__Output as _rbac_v1_AssignRolesRequest__Output } from '../../rbac/v1/AssignRolesRequest.ts';
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { CloseSalesChannelRequest as _rbac_v1_CloseSalesChannelRequest, CloseSalesChannelRequest__Output as _rbac_v1_CloseSalesChannelRequest__Output } from '../../rbac/v1/CloseSalesChannelRequest.ts';
import type { CountChannelUsersRequest as _rbac_v1_CountChannelUsersRequest, CountChannelUsersRequest__Output as _rbac_v1_CountChannelUsersRequest__Output } from '../../rbac/v1/CountChannelUsersRequest.ts';
import type { CountChannelUsersResponse as _rbac_v1_CountChannelUsersResponse, CountChannelUsersResponse__Output as _rbac_v1_CountChannelUsersResponse__Output } from '../../rbac/v1/CountChannelUsersResponse.ts';
import type { CreateSalesChannelRequest as _rbac_v1_CreateSalesChannelRequest, CreateSalesChannelRequest__Output as _rbac_v1_CreateSalesChannelRequest__Output } from '../../rbac/v1/CreateSalesChannelRequest.ts';
import type { EndBindingRequest as _rbac_v1_EndBindingRequest, EndBindingRequest__Output as _rbac_v1_EndBindingRequest__Output } from '../../rbac/v1/EndBindingRequest.ts';
import type { EndBindingResponse as _rbac_v1_EndBindingResponse, EndBindingResponse__Output as _rbac_v1_EndBindingResponse__Output } from '../../rbac/v1/EndBindingResponse.ts';
import type { ListBindingsRequest as _rbac_v1_ListBindingsRequest, ListBindingsRequest__Output as _rbac_v1_ListBindingsRequest__Output } from '../../rbac/v1/ListBindingsRequest.ts';
import type { ListBindingsResponse as _rbac_v1_ListBindingsResponse, ListBindingsResponse__Output as _rbac_v1_ListBindingsResponse__Output } from '../../rbac/v1/ListBindingsResponse.ts';
import type { ListSalesChannelsRequest as _rbac_v1_ListSalesChannelsRequest, ListSalesChannelsRequest__Output as _rbac_v1_ListSalesChannelsRequest__Output } from '../../rbac/v1/ListSalesChannelsRequest.ts';
import type { ListSalesChannelsResponse as _rbac_v1_ListSalesChannelsResponse, ListSalesChannelsResponse__Output as _rbac_v1_ListSalesChannelsResponse__Output } from '../../rbac/v1/ListSalesChannelsResponse.ts';
import type { RenameSalesChannelRequest as _rbac_v1_RenameSalesChannelRequest, RenameSalesChannelRequest__Output as _rbac_v1_RenameSalesChannelRequest__Output } from '../../rbac/v1/RenameSalesChannelRequest.ts';
import type { ResumeSalesChannelRequest as _rbac_v1_ResumeSalesChannelRequest, ResumeSalesChannelRequest__Output as _rbac_v1_ResumeSalesChannelRequest__Output } from '../../rbac/v1/ResumeSalesChannelRequest.ts';
import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';
import type { SuspendSalesChannelRequest as _rbac_v1_SuspendSalesChannelRequest, SuspendSalesChannelRequest__Output as _rbac_v1_SuspendSalesChannelRequest__Output } from '../../rbac/v1/SuspendSalesChannelRequest.ts';

export interface RbacAdministrationServiceClient extends grpc.Client {
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AssignRoles(argument: _rbac_v1_AssignRolesRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  assignRoles(argument: _rbac_v1_AssignRolesRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  CloseSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CloseSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CloseSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CloseSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  closeSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  closeSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  closeSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  closeSalesChannel(argument: _rbac_v1_CloseSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  CountChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  CountChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  CountChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  CountChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  countChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  countChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  countChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  countChannelUsers(argument: _rbac_v1_CountChannelUsersRequest, callback: grpc.requestCallback<_rbac_v1_CountChannelUsersResponse__Output>): grpc.ClientUnaryCall;
  
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  CreateSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  createSalesChannel(argument: _rbac_v1_CreateSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  EndBinding(argument: _rbac_v1_EndBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  EndBinding(argument: _rbac_v1_EndBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  EndBinding(argument: _rbac_v1_EndBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  EndBinding(argument: _rbac_v1_EndBindingRequest, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  endBinding(argument: _rbac_v1_EndBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  endBinding(argument: _rbac_v1_EndBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  endBinding(argument: _rbac_v1_EndBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  endBinding(argument: _rbac_v1_EndBindingRequest, callback: grpc.requestCallback<_rbac_v1_EndBindingResponse__Output>): grpc.ClientUnaryCall;
  
  ListBindings(argument: _rbac_v1_ListBindingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  ListBindings(argument: _rbac_v1_ListBindingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  ListBindings(argument: _rbac_v1_ListBindingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  ListBindings(argument: _rbac_v1_ListBindingsRequest, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  listBindings(argument: _rbac_v1_ListBindingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  listBindings(argument: _rbac_v1_ListBindingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  listBindings(argument: _rbac_v1_ListBindingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  listBindings(argument: _rbac_v1_ListBindingsRequest, callback: grpc.requestCallback<_rbac_v1_ListBindingsResponse__Output>): grpc.ClientUnaryCall;
  
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  listSalesChannels(argument: _rbac_v1_ListSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_ListSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  
  RenameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  RenameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  RenameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  RenameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  renameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  renameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  renameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  renameSalesChannel(argument: _rbac_v1_RenameSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  ResumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  ResumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  ResumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  ResumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  resumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  resumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  resumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  resumeSalesChannel(argument: _rbac_v1_ResumeSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  SuspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  SuspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  SuspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  SuspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  suspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  suspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  suspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  suspendSalesChannel(argument: _rbac_v1_SuspendSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
}

export interface RbacAdministrationServiceHandlers extends grpc.UntypedServiceImplementation {
  AssignRoles: grpc.handleUnaryCall<_rbac_v1_AssignRolesRequest__Output, _rbac_v1_Binding>;
  
  CloseSalesChannel: grpc.handleUnaryCall<_rbac_v1_CloseSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  CountChannelUsers: grpc.handleUnaryCall<_rbac_v1_CountChannelUsersRequest__Output, _rbac_v1_CountChannelUsersResponse>;
  
  CreateSalesChannel: grpc.handleUnaryCall<_rbac_v1_CreateSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  EndBinding: grpc.handleUnaryCall<_rbac_v1_EndBindingRequest__Output, _rbac_v1_EndBindingResponse>;
  
  ListBindings: grpc.handleUnaryCall<_rbac_v1_ListBindingsRequest__Output, _rbac_v1_ListBindingsResponse>;
  
  ListSalesChannels: grpc.handleUnaryCall<_rbac_v1_ListSalesChannelsRequest__Output, _rbac_v1_ListSalesChannelsResponse>;
  
  RenameSalesChannel: grpc.handleUnaryCall<_rbac_v1_RenameSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  ResumeSalesChannel: grpc.handleUnaryCall<_rbac_v1_ResumeSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  SuspendSalesChannel: grpc.handleUnaryCall<_rbac_v1_SuspendSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
}

export interface RbacAdministrationServiceDefinition extends grpc.ServiceDefinition {
  AssignRoles: MethodDefinition<_rbac_v1_AssignRolesRequest, _rbac_v1_Binding, _rbac_v1_AssignRolesRequest__Output, _rbac_v1_Binding__Output>
  CloseSalesChannel: MethodDefinition<_rbac_v1_CloseSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_CloseSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  CountChannelUsers: MethodDefinition<_rbac_v1_CountChannelUsersRequest, _rbac_v1_CountChannelUsersResponse, _rbac_v1_CountChannelUsersRequest__Output, _rbac_v1_CountChannelUsersResponse__Output>
  CreateSalesChannel: MethodDefinition<_rbac_v1_CreateSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_CreateSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  EndBinding: MethodDefinition<_rbac_v1_EndBindingRequest, _rbac_v1_EndBindingResponse, _rbac_v1_EndBindingRequest__Output, _rbac_v1_EndBindingResponse__Output>
  ListBindings: MethodDefinition<_rbac_v1_ListBindingsRequest, _rbac_v1_ListBindingsResponse, _rbac_v1_ListBindingsRequest__Output, _rbac_v1_ListBindingsResponse__Output>
  ListSalesChannels: MethodDefinition<_rbac_v1_ListSalesChannelsRequest, _rbac_v1_ListSalesChannelsResponse, _rbac_v1_ListSalesChannelsRequest__Output, _rbac_v1_ListSalesChannelsResponse__Output>
  RenameSalesChannel: MethodDefinition<_rbac_v1_RenameSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_RenameSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  ResumeSalesChannel: MethodDefinition<_rbac_v1_ResumeSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_ResumeSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  SuspendSalesChannel: MethodDefinition<_rbac_v1_SuspendSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_SuspendSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
}
