// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CountChannelUseRequest as _inventory_v1_CountChannelUseRequest, CountChannelUseRequest__Output as _inventory_v1_CountChannelUseRequest__Output } from '../../inventory/v1/CountChannelUseRequest.ts';
import type { CountChannelUseResponse as _inventory_v1_CountChannelUseResponse, CountChannelUseResponse__Output as _inventory_v1_CountChannelUseResponse__Output } from '../../inventory/v1/CountChannelUseResponse.ts';

export interface ChannelUseServiceClient extends grpc.Client {
  CountChannelUse(argument: _inventory_v1_CountChannelUseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  CountChannelUse(argument: _inventory_v1_CountChannelUseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  CountChannelUse(argument: _inventory_v1_CountChannelUseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  CountChannelUse(argument: _inventory_v1_CountChannelUseRequest, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  countChannelUse(argument: _inventory_v1_CountChannelUseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  countChannelUse(argument: _inventory_v1_CountChannelUseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  countChannelUse(argument: _inventory_v1_CountChannelUseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  countChannelUse(argument: _inventory_v1_CountChannelUseRequest, callback: grpc.requestCallback<_inventory_v1_CountChannelUseResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ChannelUseServiceHandlers extends grpc.UntypedServiceImplementation {
  CountChannelUse: grpc.handleUnaryCall<_inventory_v1_CountChannelUseRequest__Output, _inventory_v1_CountChannelUseResponse>;
  
}

export interface ChannelUseServiceDefinition extends grpc.ServiceDefinition {
  CountChannelUse: MethodDefinition<_inventory_v1_CountChannelUseRequest, _inventory_v1_CountChannelUseResponse, _inventory_v1_CountChannelUseRequest__Output, _inventory_v1_CountChannelUseResponse__Output>
}
