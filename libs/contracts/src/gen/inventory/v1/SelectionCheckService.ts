// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckSelectionsRequest as _inventory_v1_CheckSelectionsRequest, CheckSelectionsRequest__Output as _inventory_v1_CheckSelectionsRequest__Output } from '../../inventory/v1/CheckSelectionsRequest.ts';
import type { CheckSelectionsResponse as _inventory_v1_CheckSelectionsResponse, CheckSelectionsResponse__Output as _inventory_v1_CheckSelectionsResponse__Output } from '../../inventory/v1/CheckSelectionsResponse.ts';

export interface SelectionCheckServiceClient extends grpc.Client {
  CheckSelections(argument: _inventory_v1_CheckSelectionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  CheckSelections(argument: _inventory_v1_CheckSelectionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  CheckSelections(argument: _inventory_v1_CheckSelectionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  CheckSelections(argument: _inventory_v1_CheckSelectionsRequest, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  checkSelections(argument: _inventory_v1_CheckSelectionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  checkSelections(argument: _inventory_v1_CheckSelectionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  checkSelections(argument: _inventory_v1_CheckSelectionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  checkSelections(argument: _inventory_v1_CheckSelectionsRequest, callback: grpc.requestCallback<_inventory_v1_CheckSelectionsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface SelectionCheckServiceHandlers extends grpc.UntypedServiceImplementation {
  CheckSelections: grpc.handleUnaryCall<_inventory_v1_CheckSelectionsRequest__Output, _inventory_v1_CheckSelectionsResponse>;
  
}

export interface SelectionCheckServiceDefinition extends grpc.ServiceDefinition {
  CheckSelections: MethodDefinition<_inventory_v1_CheckSelectionsRequest, _inventory_v1_CheckSelectionsResponse, _inventory_v1_CheckSelectionsRequest__Output, _inventory_v1_CheckSelectionsResponse__Output>
}
