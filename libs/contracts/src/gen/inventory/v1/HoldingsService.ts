// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ApproveHolderTransactionRequest as _inventory_v1_ApproveHolderTransactionRequest, ApproveHolderTransactionRequest__Output as _inventory_v1_ApproveHolderTransactionRequest__Output } from '../../inventory/v1/ApproveHolderTransactionRequest.ts';
import type { GetHolderTransactionRequest as _inventory_v1_GetHolderTransactionRequest, GetHolderTransactionRequest__Output as _inventory_v1_GetHolderTransactionRequest__Output } from '../../inventory/v1/GetHolderTransactionRequest.ts';
import type { JsonChunk as _common_v1_JsonChunk, JsonChunk__Output as _common_v1_JsonChunk__Output } from '../../common/v1/JsonChunk.ts';
import type { JsonDocument as _common_v1_JsonDocument, JsonDocument__Output as _common_v1_JsonDocument__Output } from '../../common/v1/JsonDocument.ts';
import type { JsonRows as _common_v1_JsonRows, JsonRows__Output as _common_v1_JsonRows__Output } from '../../common/v1/JsonRows.ts';
import type { ListHolderTransactionsRequest as _inventory_v1_ListHolderTransactionsRequest, ListHolderTransactionsRequest__Output as _inventory_v1_ListHolderTransactionsRequest__Output } from '../../inventory/v1/ListHolderTransactionsRequest.ts';
import type { ListHoldingsRequest as _inventory_v1_ListHoldingsRequest, ListHoldingsRequest__Output as _inventory_v1_ListHoldingsRequest__Output } from '../../inventory/v1/ListHoldingsRequest.ts';
import type { OnrampHoldingsRequest as _inventory_v1_OnrampHoldingsRequest, OnrampHoldingsRequest__Output as _inventory_v1_OnrampHoldingsRequest__Output } from '../../inventory/v1/OnrampHoldingsRequest.ts';
import type { OnrampResponse as _inventory_v1_OnrampResponse, OnrampResponse__Output as _inventory_v1_OnrampResponse__Output } from '../../inventory/v1/OnrampResponse.ts';
import type { PageHolderTransactionsRequest as _inventory_v1_PageHolderTransactionsRequest, PageHolderTransactionsRequest__Output as _inventory_v1_PageHolderTransactionsRequest__Output } from '../../inventory/v1/PageHolderTransactionsRequest.ts';
import type { PageHoldingsRequest as _inventory_v1_PageHoldingsRequest, PageHoldingsRequest__Output as _inventory_v1_PageHoldingsRequest__Output } from '../../inventory/v1/PageHoldingsRequest.ts';
import type { RejectHolderTransactionRequest as _inventory_v1_RejectHolderTransactionRequest, RejectHolderTransactionRequest__Output as _inventory_v1_RejectHolderTransactionRequest__Output } from '../../inventory/v1/RejectHolderTransactionRequest.ts';
import type { SummarizeHoldingsRequest as _inventory_v1_SummarizeHoldingsRequest, SummarizeHoldingsRequest__Output as _inventory_v1_SummarizeHoldingsRequest__Output } from '../../inventory/v1/SummarizeHoldingsRequest.ts';

export interface HoldingsServiceClient extends grpc.Client {
  ApproveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  ApproveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  ApproveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  ApproveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveHolderTransaction(argument: _inventory_v1_ApproveHolderTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getHolderTransaction(argument: _inventory_v1_GetHolderTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  ListHolderTransactions(argument: _inventory_v1_ListHolderTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  ListHolderTransactions(argument: _inventory_v1_ListHolderTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listHolderTransactions(argument: _inventory_v1_ListHolderTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listHolderTransactions(argument: _inventory_v1_ListHolderTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  
  ListHoldings(argument: _inventory_v1_ListHoldingsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  ListHoldings(argument: _inventory_v1_ListHoldingsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listHoldings(argument: _inventory_v1_ListHoldingsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  listHoldings(argument: _inventory_v1_ListHoldingsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonChunk__Output>;
  
  OnrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  OnrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  OnrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  OnrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _inventory_v1_OnrampHoldingsRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  
  PageHolderTransactions(argument: _inventory_v1_PageHolderTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  PageHolderTransactions(argument: _inventory_v1_PageHolderTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  pageHolderTransactions(argument: _inventory_v1_PageHolderTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  pageHolderTransactions(argument: _inventory_v1_PageHolderTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonRows__Output>;
  
  PageHoldings(argument: _inventory_v1_PageHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  PageHoldings(argument: _inventory_v1_PageHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  PageHoldings(argument: _inventory_v1_PageHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  PageHoldings(argument: _inventory_v1_PageHoldingsRequest, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageHoldings(argument: _inventory_v1_PageHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageHoldings(argument: _inventory_v1_PageHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageHoldings(argument: _inventory_v1_PageHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  pageHoldings(argument: _inventory_v1_PageHoldingsRequest, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  
  RejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  RejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  RejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  RejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectHolderTransaction(argument: _inventory_v1_RejectHolderTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  SummarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  SummarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  summarizeHoldings(argument: _inventory_v1_SummarizeHoldingsRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
}

export interface HoldingsServiceHandlers extends grpc.UntypedServiceImplementation {
  ApproveHolderTransaction: grpc.handleUnaryCall<_inventory_v1_ApproveHolderTransactionRequest__Output, _common_v1_JsonDocument>;
  
  GetHolderTransaction: grpc.handleUnaryCall<_inventory_v1_GetHolderTransactionRequest__Output, _common_v1_JsonDocument>;
  
  ListHolderTransactions: grpc.handleServerStreamingCall<_inventory_v1_ListHolderTransactionsRequest__Output, _common_v1_JsonChunk>;
  
  ListHoldings: grpc.handleServerStreamingCall<_inventory_v1_ListHoldingsRequest__Output, _common_v1_JsonChunk>;
  
  OnrampHoldings: grpc.handleUnaryCall<_inventory_v1_OnrampHoldingsRequest__Output, _inventory_v1_OnrampResponse>;
  
  PageHolderTransactions: grpc.handleServerStreamingCall<_inventory_v1_PageHolderTransactionsRequest__Output, _common_v1_JsonRows>;
  
  PageHoldings: grpc.handleUnaryCall<_inventory_v1_PageHoldingsRequest__Output, _common_v1_JsonRows>;
  
  RejectHolderTransaction: grpc.handleUnaryCall<_inventory_v1_RejectHolderTransactionRequest__Output, _common_v1_JsonDocument>;
  
  SummarizeHoldings: grpc.handleUnaryCall<_inventory_v1_SummarizeHoldingsRequest__Output, _common_v1_JsonDocument>;
  
}

export interface HoldingsServiceDefinition extends grpc.ServiceDefinition {
  ApproveHolderTransaction: MethodDefinition<_inventory_v1_ApproveHolderTransactionRequest, _common_v1_JsonDocument, _inventory_v1_ApproveHolderTransactionRequest__Output, _common_v1_JsonDocument__Output>
  GetHolderTransaction: MethodDefinition<_inventory_v1_GetHolderTransactionRequest, _common_v1_JsonDocument, _inventory_v1_GetHolderTransactionRequest__Output, _common_v1_JsonDocument__Output>
  ListHolderTransactions: MethodDefinition<_inventory_v1_ListHolderTransactionsRequest, _common_v1_JsonChunk, _inventory_v1_ListHolderTransactionsRequest__Output, _common_v1_JsonChunk__Output>
  ListHoldings: MethodDefinition<_inventory_v1_ListHoldingsRequest, _common_v1_JsonChunk, _inventory_v1_ListHoldingsRequest__Output, _common_v1_JsonChunk__Output>
  OnrampHoldings: MethodDefinition<_inventory_v1_OnrampHoldingsRequest, _inventory_v1_OnrampResponse, _inventory_v1_OnrampHoldingsRequest__Output, _inventory_v1_OnrampResponse__Output>
  PageHolderTransactions: MethodDefinition<_inventory_v1_PageHolderTransactionsRequest, _common_v1_JsonRows, _inventory_v1_PageHolderTransactionsRequest__Output, _common_v1_JsonRows__Output>
  PageHoldings: MethodDefinition<_inventory_v1_PageHoldingsRequest, _common_v1_JsonRows, _inventory_v1_PageHoldingsRequest__Output, _common_v1_JsonRows__Output>
  RejectHolderTransaction: MethodDefinition<_inventory_v1_RejectHolderTransactionRequest, _common_v1_JsonDocument, _inventory_v1_RejectHolderTransactionRequest__Output, _common_v1_JsonDocument__Output>
  SummarizeHoldings: MethodDefinition<_inventory_v1_SummarizeHoldingsRequest, _common_v1_JsonDocument, _inventory_v1_SummarizeHoldingsRequest__Output, _common_v1_JsonDocument__Output>
}
