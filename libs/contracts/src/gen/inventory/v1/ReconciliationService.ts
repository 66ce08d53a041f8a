// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ReconcileRequest as _inventory_v1_ReconcileRequest, ReconcileRequest__Output as _inventory_v1_ReconcileRequest__Output } from '../../inventory/v1/ReconcileRequest.ts';
import type { ReconcileResponse as _inventory_v1_ReconcileResponse, ReconcileResponse__Output as _inventory_v1_ReconcileResponse__Output } from '../../inventory/v1/ReconcileResponse.ts';

export interface ReconciliationServiceClient extends grpc.Client {
  Reconcile(argument: _inventory_v1_ReconcileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  Reconcile(argument: _inventory_v1_ReconcileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  Reconcile(argument: _inventory_v1_ReconcileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  Reconcile(argument: _inventory_v1_ReconcileRequest, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  reconcile(argument: _inventory_v1_ReconcileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  reconcile(argument: _inventory_v1_ReconcileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  reconcile(argument: _inventory_v1_ReconcileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  reconcile(argument: _inventory_v1_ReconcileRequest, callback: grpc.requestCallback<_inventory_v1_ReconcileResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ReconciliationServiceHandlers extends grpc.UntypedServiceImplementation {
  Reconcile: grpc.handleUnaryCall<_inventory_v1_ReconcileRequest__Output, _inventory_v1_ReconcileResponse>;
  
}

export interface ReconciliationServiceDefinition extends grpc.ServiceDefinition {
  Reconcile: MethodDefinition<_inventory_v1_ReconcileRequest, _inventory_v1_ReconcileResponse, _inventory_v1_ReconcileRequest__Output, _inventory_v1_ReconcileResponse__Output>
}
