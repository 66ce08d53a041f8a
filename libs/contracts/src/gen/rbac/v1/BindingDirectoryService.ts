// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { FindBindingRequest as _rbac_v1_FindBindingRequest, FindBindingRequest__Output as _rbac_v1_FindBindingRequest__Output } from '../../rbac/v1/FindBindingRequest.ts';
import type { FindBindingResponse as _rbac_v1_FindBindingResponse, FindBindingResponse__Output as _rbac_v1_FindBindingResponse__Output } from '../../rbac/v1/FindBindingResponse.ts';
import type { GetSalesChannelRequest as _rbac_v1_GetSalesChannelRequest, GetSalesChannelRequest__Output as _rbac_v1_GetSalesChannelRequest__Output } from '../../rbac/v1/GetSalesChannelRequest.ts';
import type { GetSalesChannelsRequest as _rbac_v1_GetSalesChannelsRequest, GetSalesChannelsRequest__Output as _rbac_v1_GetSalesChannelsRequest__Output } from '../../rbac/v1/GetSalesChannelsRequest.ts';
import type { GetSalesChannelsResponse as _rbac_v1_GetSalesChannelsResponse, GetSalesChannelsResponse__Output as _rbac_v1_GetSalesChannelsResponse__Output } from '../../rbac/v1/GetSalesChannelsResponse.ts';
import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';

export interface BindingDirectoryServiceClient extends grpc.Client {
  FindBinding(argument: _rbac_v1_FindBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  FindBinding(argument: _rbac_v1_FindBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  FindBinding(argument: _rbac_v1_FindBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  FindBinding(argument: _rbac_v1_FindBindingRequest, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  findBinding(argument: _rbac_v1_FindBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  findBinding(argument: _rbac_v1_FindBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  findBinding(argument: _rbac_v1_FindBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  findBinding(argument: _rbac_v1_FindBindingRequest, callback: grpc.requestCallback<_rbac_v1_FindBindingResponse__Output>): grpc.ClientUnaryCall;
  
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  GetSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  GetSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  GetSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  GetSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  getSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  getSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  getSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  getSalesChannels(argument: _rbac_v1_GetSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_GetSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface BindingDirectoryServiceHandlers extends grpc.UntypedServiceImplementation {
  FindBinding: grpc.handleUnaryCall<_rbac_v1_FindBindingRequest__Output, _rbac_v1_FindBindingResponse>;
  
  GetSalesChannel: grpc.handleUnaryCall<_rbac_v1_GetSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  GetSalesChannels: grpc.handleUnaryCall<_rbac_v1_GetSalesChannelsRequest__Output, _rbac_v1_GetSalesChannelsResponse>;
  
}

export interface BindingDirectoryServiceDefinition extends grpc.ServiceDefinition {
  FindBinding: MethodDefinition<_rbac_v1_FindBindingRequest, _rbac_v1_FindBindingResponse, _rbac_v1_FindBindingRequest__Output, _rbac_v1_FindBindingResponse__Output>
  GetSalesChannel: MethodDefinition<_rbac_v1_GetSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_GetSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  GetSalesChannels: MethodDefinition<_rbac_v1_GetSalesChannelsRequest, _rbac_v1_GetSalesChannelsResponse, _rbac_v1_GetSalesChannelsRequest__Output, _rbac_v1_GetSalesChannelsResponse__Output>
}
