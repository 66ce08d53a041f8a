// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetProductionFacilityRequest as _inventory_v1_GetProductionFacilityRequest, GetProductionFacilityRequest__Output as _inventory_v1_GetProductionFacilityRequest__Output } from '../../inventory/v1/GetProductionFacilityRequest.ts';
import type { GetSupplierRequest as _inventory_v1_GetSupplierRequest, GetSupplierRequest__Output as _inventory_v1_GetSupplierRequest__Output } from '../../inventory/v1/GetSupplierRequest.ts';
import type { GetTransactionDetailRequest as _inventory_v1_GetTransactionDetailRequest, GetTransactionDetailRequest__Output as _inventory_v1_GetTransactionDetailRequest__Output } from '../../inventory/v1/GetTransactionDetailRequest.ts';
import type { GetTransactionRequest as _inventory_v1_GetTransactionRequest, GetTransactionRequest__Output as _inventory_v1_GetTransactionRequest__Output } from '../../inventory/v1/GetTransactionRequest.ts';
import type { JsonChunk as _common_v1_JsonChunk, JsonChunk__Output as _common_v1_JsonChunk__Output } from '../../common/v1/JsonChunk.ts';
import type { JsonDocument as _common_v1_JsonDocument, JsonDocument__Output as _common_v1_JsonDocument__Output } from '../../common/v1/JsonDocument.ts';
import type { JsonRows as _common_v1_JsonRows, JsonRows__Output as _common_v1_JsonRows__Output } from '../../common/v1/JsonRows.ts';
import type { ListInventoryRequest as _inventory_v1_ListInventoryRequest, ListInventoryRequest__Output as _inventory_v1_ListInventoryRequest__Output } from '../../inventory/v1/ListInventoryRequest.ts';
import type { ListProductionFacilitiesRequest as _inventory_v1_ListProductionFacilitiesRequest, ListProductionFacilitiesRequest__Output as _inventory_v1_ListProductionFacilitiesRequest__Output } from '../../inventory/v1/ListProductionFacilitiesRequest.ts';
import type { ListTransactionsRequest as _inventory_v1_ListTransactionsRequest, ListTransactionsRequest__Output as _inventory_v1_ListTransactionsRequest__Output } from '../../inventory/v1/ListTransactionsRequest.ts';
import type { PageInventoryRequest as _inventory_v1_PageInventoryRequest, PageInventoryRequest__Output as _inventory_v1_PageInventoryRequest__Output } from '../../inventory/v1/PageInventoryRequest.ts';
import type { PageProductionFacilitiesRequest as _inventory_v1_PageProductionFacilitiesRequest, PageProductionFacilitiesRequest__Output as _inventory_v1_PageProductionFacilitiesRequest__Output } from '../../inventory/v1/PageProductionFacilitiesRequest.ts';
import type { PageProductionFacilitiesResponse as _inventory_v1_PageProductionFacilitiesResponse, PageProductionFacilitiesResponse__Output as _inventory_v1_PageProductionFacilitiesResponse__Output } from '../../inventory/v1/PageProductionFacilitiesResponse.ts';
import type { PageTransactionsRequest as _inventory_v1_PageTransactionsRequest, PageTransactionsRequest__Output as _inventory_v1_PageTransactionsRequest__Output } from '../../inventory/v1/PageTransactionsRequest.ts';
import type { PlanTransferRequest as _inventory_v1_PlanTransferRequest, PlanTransferRequest__Output as _inventory_v1_PlanTransferRequest__Output } from '../../inventory/v1/PlanTransferRequest.ts';
import type { ProductionFacility as _inventory_v1_ProductionFacility, ProductionFacility__Output as _inventory_v1_ProductionFacility__Output } from '../../inventory/v1/ProductionFacility.ts';
import type { SummarizeInventoryRequest as _inventory_v1_SummarizeInventoryRequest, SummarizeInventoryRequest__Output as _inventory_v1_SummarizeInventoryRequest__Output } from '../../inventory/v1/SummarizeInventoryRequest.ts';
import type { SummarizeTransactionsRequest as _inventory_v1_SummarizeTransactionsRequest, SummarizeTransactionsRequest__Output as _inventory_v1_SummarizeTransactionsRequest__Output } from '../../inventory/v1/SummarizeTransactionsRequest.ts';
import type { Supplier as _inventory_v1_Supplier, Supplier__Output as _inventory_v1_Supplier__Output } from '../../inventory/v1/Supplier.ts';
import type { UpdateStatementRequest as _inventory_v1_UpdateStatementRequest, UpdateStatementRequest__Output as _inventory_v1_UpdateStatementRequest__Output } from '../../inventory/v1/UpdateStatementRequest.ts';

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
  
  GetTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getTransactionDetail(argument: _inventory_v1_GetTransactionDetailRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
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
  
  PageInventory(argument: _inventory_v1_PageInventoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  PageInventory(argument: _inventory_v1_PageInventoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  PageInventory(argument: _inventory_v1_PageInventoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  PageInventory(argument: _inventory_v1_PageInventoryRequest, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageInventory(argument: _inventory_v1_PageInventoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageInventory(argument: _inventory_v1_PageInventoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageInventory(argument: _inventory_v1_PageInventoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageInventory(argument: _inventory_v1_PageInventoryRequest, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  
  PageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  PageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  PageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  PageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  pageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  pageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  pageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  pageProductionFacilities(argument: _inventory_v1_PageProductionFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_PageProductionFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  
  PageTransactions(argument: _inventory_v1_PageTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  PageTransactions(argument: _inventory_v1_PageTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  pageTransactions(argument: _inventory_v1_PageTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  pageTransactions(argument: _inventory_v1_PageTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  
  PlanTransfer(argument: _inventory_v1_PlanTransferRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  PlanTransfer(argument: _inventory_v1_PlanTransferRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  PlanTransfer(argument: _inventory_v1_PlanTransferRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  PlanTransfer(argument: _inventory_v1_PlanTransferRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  planTransfer(argument: _inventory_v1_PlanTransferRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  planTransfer(argument: _inventory_v1_PlanTransferRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  planTransfer(argument: _inventory_v1_PlanTransferRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  planTransfer(argument: _inventory_v1_PlanTransferRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  SummarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeInventory(argument: _inventory_v1_SummarizeInventoryRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  SummarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeTransactions(argument: _inventory_v1_SummarizeTransactionsRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  UpdateStatement(argument: _inventory_v1_UpdateStatementRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  UpdateStatement(argument: _inventory_v1_UpdateStatementRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  UpdateStatement(argument: _inventory_v1_UpdateStatementRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  UpdateStatement(argument: _inventory_v1_UpdateStatementRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  updateStatement(argument: _inventory_v1_UpdateStatementRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  updateStatement(argument: _inventory_v1_UpdateStatementRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  updateStatement(argument: _inventory_v1_UpdateStatementRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  updateStatement(argument: _inventory_v1_UpdateStatementRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
}

export interface InventoryServiceHandlers extends grpc.UntypedServiceImplementation {
  GetProductionFacility: grpc.handleUnaryCall<_inventory_v1_GetProductionFacilityRequest__Output, _inventory_v1_ProductionFacility>;
  
  GetSupplier: grpc.handleUnaryCall<_inventory_v1_GetSupplierRequest__Output, _inventory_v1_Supplier>;
  
  GetTransaction: grpc.handleUnaryCall<_inventory_v1_GetTransactionRequest__Output, _common_v1_JsonDocument>;
  
  GetTransactionDetail: grpc.handleUnaryCall<_inventory_v1_GetTransactionDetailRequest__Output, _common_v1_JsonDocument>;
  
  ListInventory: grpc.handleServerStreamingCall<_inventory_v1_ListInventoryRequest__Output, _common_v1_JsonChunk>;
  
  ListProductionFacilities: grpc.handleServerStreamingCall<_inventory_v1_ListProductionFacilitiesRequest__Output, _inventory_v1_ProductionFacility>;
  
  ListTransactions: grpc.handleServerStreamingCall<_inventory_v1_ListTransactionsRequest__Output, _common_v1_JsonChunk>;
  
  PageInventory: grpc.handleUnaryCall<_inventory_v1_PageInventoryRequest__Output, _common_v1_JsonRows>;
  
  PageProductionFacilities: grpc.handleUnaryCall<_inventory_v1_PageProductionFacilitiesRequest__Output, _inventory_v1_PageProductionFacilitiesResponse>;
  
  PageTransactions: grpc.handleServerStreamingCall<_inventory_v1_PageTransactionsRequest__Output, _common_v1_JsonRows>;
  
  PlanTransfer: grpc.handleUnaryCall<_inventory_v1_PlanTransferRequest__Output, _common_v1_JsonDocument>;
  
  SummarizeInventory: grpc.handleUnaryCall<_inventory_v1_SummarizeInventoryRequest__Output, _common_v1_JsonDocument>;
  
  SummarizeTransactions: grpc.handleUnaryCall<_inventory_v1_SummarizeTransactionsRequest__Output, _common_v1_JsonDocument>;
  
  UpdateStatement: grpc.handleUnaryCall<_inventory_v1_UpdateStatementRequest__Output, _common_v1_JsonDocument>;
  
}

export interface InventoryServiceDefinition extends grpc.ServiceDefinition {
  GetProductionFacility: MethodDefinition<_inventory_v1_GetProductionFacilityRequest, _inventory_v1_ProductionFacility, _inventory_v1_GetProductionFacilityRequest__Output, _inventory_v1_ProductionFacility__Output>
  GetSupplier: MethodDefinition<_inventory_v1_GetSupplierRequest, _inventory_v1_Supplier, _inventory_v1_GetSupplierRequest__Output, _inventory_v1_Supplier__Output>
  GetTransaction: MethodDefinition<_inventory_v1_GetTransactionRequest, _common_v1_JsonDocument, _inventory_v1_GetTransactionRequest__Output, _common_v1_JsonDocument__Output>
  GetTransactionDetail: MethodDefinition<_inventory_v1_GetTransactionDetailRequest, _common_v1_JsonDocument, _inventory_v1_GetTransactionDetailRequest__Output, _common_v1_JsonDocument__Output>
  ListInventory: MethodDefinition<_inventory_v1_ListInventoryRequest, _common_v1_JsonChunk, _inventory_v1_ListInventoryRequest__Output, _common_v1_JsonChunk__Output>
  ListProductionFacilities: MethodDefinition<_inventory_v1_ListProductionFacilitiesRequest, _inventory_v1_ProductionFacility, _inventory_v1_ListProductionFacilitiesRequest__Output, _inventory_v1_ProductionFacility__Output>
  ListTransactions: MethodDefinition<_inventory_v1_ListTransactionsRequest, _common_v1_JsonChunk, _inventory_v1_ListTransactionsRequest__Output, _common_v1_JsonChunk__Output>
  PageInventory: MethodDefinition<_inventory_v1_PageInventoryRequest, _common_v1_JsonRows, _inventory_v1_PageInventoryRequest__Output, _common_v1_JsonRows__Output>
  PageProductionFacilities: MethodDefinition<_inventory_v1_PageProductionFacilitiesRequest, _inventory_v1_PageProductionFacilitiesResponse, _inventory_v1_PageProductionFacilitiesRequest__Output, _inventory_v1_PageProductionFacilitiesResponse__Output>
  PageTransactions: MethodDefinition<_inventory_v1_PageTransactionsRequest, _common_v1_JsonRows, _inventory_v1_PageTransactionsRequest__Output, _common_v1_JsonRows__Output>
  PlanTransfer: MethodDefinition<_inventory_v1_PlanTransferRequest, _common_v1_JsonDocument, _inventory_v1_PlanTransferRequest__Output, _common_v1_JsonDocument__Output>
  SummarizeInventory: MethodDefinition<_inventory_v1_SummarizeInventoryRequest, _common_v1_JsonDocument, _inventory_v1_SummarizeInventoryRequest__Output, _common_v1_JsonDocument__Output>
  SummarizeTransactions: MethodDefinition<_inventory_v1_SummarizeTransactionsRequest, _common_v1_JsonDocument, _inventory_v1_SummarizeTransactionsRequest__Output, _common_v1_JsonDocument__Output>
  UpdateStatement: MethodDefinition<_inventory_v1_UpdateStatementRequest, _common_v1_JsonDocument, _inventory_v1_UpdateStatementRequest__Output, _common_v1_JsonDocument__Output>
}
