// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetProductionFacilityRequest as _inventory_v1_GetProductionFacilityRequest, GetProductionFacilityRequest__Output as _inventory_v1_GetProductionFacilityRequest__Output } from '../../inventory/v1/GetProductionFacilityRequest.ts';
import type { GetSupplierRequest as _inventory_v1_GetSupplierRequest, GetSupplierRequest__Output as _inventory_v1_GetSupplierRequest__Output } from '../../inventory/v1/GetSupplierRequest.ts';
import type { GetTransactionRequest as _inventory_v1_GetTransactionRequest, GetTransactionRequest__Output as _inventory_v1_GetTransactionRequest__Output } from '../../inventory/v1/GetTransactionRequest.ts';
import type { JsonChunk as _common_v1_JsonChunk, JsonChunk__Output as _common_v1_JsonChunk__Output } from '../../common/v1/JsonChunk.ts';
import type { JsonDocument as _common_v1_JsonDocument, JsonDocument__Output as _common_v1_JsonDocument__Output } from '../../common/v1/JsonDocument.ts';
import type { ListInventoryRequest as _inventory_v1_ListInventoryRequest, ListInventoryRequest__Output as _inventory_v1_ListInventoryRequest__Output } from '../../inventory/v1/ListInventoryRequest.ts';
import type { ListProductionFacilitiesRequest as _inventory_v1_ListProductionFacilitiesRequest, ListProductionFacilitiesRequest__Output as _inventory_v1_ListProductionFacilitiesRequest__Output } from '../../inventory/v1/ListProductionFacilitiesRequest.ts';
import type { ListTransactionsRequest as _inventory_v1_ListTransactionsRequest, ListTransactionsRequest__Output as _inventory_v1_ListTransactionsRequest__Output } from '../../inventory/v1/ListTransactionsRequest.ts';
import type { ProductionFacility as _inventory_v1_ProductionFacility, ProductionFacility__Output as _inventory_v1_ProductionFacility__Output } from '../../inventory/v1/ProductionFacility.ts';
import type { Supplier as _inventory_v1_Supplier, Supplier__Output as _inventory_v1_Supplier__Output } from '../../inventory/v1/Supplier.ts';

export interface InventoryServiceClient extends grpc.Client {
  GetProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  GetProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  GetProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  GetProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  getProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  getProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  getProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  getProductionFacility(argument: _inventory_v1_GetProductionFacilityRequest, callback: grpc.requestCallback<_inventory_v1_ProductionFacility__Output>): grpc.ClientUnaryCall;
  
  GetSupplier(argument: _inventory_v1_GetSupplierRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  GetSupplier(argument: _inventory_v1_GetSupplierRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  GetSupplier(argument: _inventory_v1_GetSupplierRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  GetSupplier(argument: _inventory_v1_GetSupplierRequest, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  getSupplier(argument: _inventory_v1_GetSupplierRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  getSupplier(argument: _inventory_v1_GetSupplierRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  getSupplier(argument: _inventory_v1_GetSupplierRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  getSupplier(argument: _inventory_v1_GetSupplierRequest, callback: grpc.requestCallback<_inventory_v1_Supplier__Output>): grpc.ClientUnaryCall;
  
  GetTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetTransaction(argument: _inventory_v1_GetTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetTransaction(argument: _inventory_v1_GetTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransaction(argument: _inventory_v1_GetTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransaction(argument: _inventory_v1_GetTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  ListInventory(argument: _inventory_v1_ListInventoryRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  ListInventory(argument: _inventory_v1_ListInventoryRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listInventory(argument: _inventory_v1_ListInventoryRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listInventory(argument: _inventory_v1_ListInventoryRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  
  ListProductionFacilities(argument: _inventory_v1_ListProductionFacilitiesRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_inventory_v1_ProductionFacility__Output>;
  ListProductionFacilities(argument: _inventory_v1_ListProductionFacilitiesRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_inventory_v1_ProductionFacility__Output>;
  listProductionFacilities(argument: _inventory_v1_ListProductionFacilitiesRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_inventory_v1_ProductionFacility__Output>;
  listProductionFacilities(argument: _inventory_v1_ListProductionFacilitiesRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_inventory_v1_ProductionFacility__Output>;
  
  ListTransactions(argument: _inventory_v1_ListTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  ListTransactions(argument: _inventory_v1_ListTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listTransactions(argument: _inventory_v1_ListTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listTransactions(argument: _inventory_v1_ListTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  
}

export interface InventoryServiceHandlers extends grpc.UntypedServiceImplementation {
  GetProductionFacility: grpc.handleUnaryCall<_inventory_v1_GetProductionFacilityRequest__Output, _inventory_v1_ProductionFacility>;
  
  GetSupplier: grpc.handleUnaryCall<_inventory_v1_GetSupplierRequest__Output, _inventory_v1_Supplier>;
  
  GetTransaction: grpc.handleUnaryCall<_inventory_v1_GetTransactionRequest__Output, _common_v1_JsonDocument>;
  
  ListInventory: grpc.handleServerStreamingCall<_inventory_v1_ListInventoryRequest__Output, _common_v1_JsonChunk>;
  
  ListProductionFacilities: grpc.handleServerStreamingCall<_inventory_v1_ListProductionFacilitiesRequest__Output, _inventory_v1_ProductionFacility>;
  
  ListTransactions: grpc.handleServerStreamingCall<_inventory_v1_ListTransactionsRequest__Output, _common_v1_JsonChunk>;
  
}

export interface InventoryServiceDefinition extends grpc.ServiceDefinition {
  GetProductionFacility: MethodDefinition<_inventory_v1_GetProductionFacilityRequest, _inventory_v1_ProductionFacility, _inventory_v1_GetProductionFacilityRequest__Output, _inventory_v1_ProductionFacility__Output>
  GetSupplier: MethodDefinition<_inventory_v1_GetSupplierRequest, _inventory_v1_Supplier, _inventory_v1_GetSupplierRequest__Output, _inventory_v1_Supplier__Output>
  GetTransaction: MethodDefinition<_inventory_v1_GetTransactionRequest, _common_v1_JsonDocument, _inventory_v1_GetTransactionRequest__Output, _common_v1_JsonDocument__Output>
  ListInventory: MethodDefinition<_inventory_v1_ListInventoryRequest, _common_v1_JsonChunk, _inventory_v1_ListInventoryRequest__Output, _common_v1_JsonChunk__Output>
  ListProductionFacilities: MethodDefinition<_inventory_v1_ListProductionFacilitiesRequest, _inventory_v1_ProductionFacility, _inventory_v1_ListProductionFacilitiesRequest__Output, _inventory_v1_ProductionFacility__Output>
  ListTransactions: MethodDefinition<_inventory_v1_ListTransactionsRequest, _common_v1_JsonChunk, _inventory_v1_ListTransactionsRequest__Output, _common_v1_JsonChunk__Output>
}
