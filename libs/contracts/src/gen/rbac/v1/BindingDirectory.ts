// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { GetSalesChannelRequest as _rbac_v1_GetSalesChannelRequest, GetSalesChannelRequest__Output as _rbac_v1_GetSalesChannelRequest__Output } from '../../rbac/v1/GetSalesChannelRequest.ts';
import type { ReadBindingRequest as _rbac_v1_ReadBindingRequest, ReadBindingRequest__Output as _rbac_v1_ReadBindingRequest__Output } from '../../rbac/v1/ReadBindingRequest.ts';
import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';

export interface BindingDirectoryClient extends grpc.Client {
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  GetSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  getSalesChannel(argument: _rbac_v1_GetSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_SalesChannel__Output>): grpc.ClientUnaryCall;
  
  ReadBinding(argument: _rbac_v1_ReadBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  ReadBinding(argument: _rbac_v1_ReadBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  ReadBinding(argument: _rbac_v1_ReadBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  ReadBinding(argument: _rbac_v1_ReadBindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  readBinding(argument: _rbac_v1_ReadBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  readBinding(argument: _rbac_v1_ReadBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  readBinding(argument: _rbac_v1_ReadBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  readBinding(argument: _rbac_v1_ReadBindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
}

export interface BindingDirectoryHandlers extends grpc.UntypedServiceImplementation {
  GetSalesChannel: grpc.handleUnaryCall<_rbac_v1_GetSalesChannelRequest__Output, _rbac_v1_SalesChannel>;
  
  ReadBinding: grpc.handleUnaryCall<_rbac_v1_ReadBindingRequest__Output, _rbac_v1_Binding>;
  
}

export interface BindingDirectoryDefinition extends grpc.ServiceDefinition {
  GetSalesChannel: MethodDefinition<_rbac_v1_GetSalesChannelRequest, _rbac_v1_SalesChannel, _rbac_v1_GetSalesChannelRequest__Output, _rbac_v1_SalesChannel__Output>
  ReadBinding: MethodDefinition<_rbac_v1_ReadBindingRequest, _rbac_v1_Binding, _rbac_v1_ReadBindingRequest__Output, _rbac_v1_Binding__Output>
}
