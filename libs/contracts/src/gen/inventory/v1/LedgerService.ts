// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ApplyFacilitiesRequest as _inventory_v1_ApplyFacilitiesRequest, ApplyFacilitiesRequest__Output as _inventory_v1_ApplyFacilitiesRequest__Output } from '../../inventory/v1/ApplyFacilitiesRequest.ts';
import type { ApplyFacilitiesResponse as _inventory_v1_ApplyFacilitiesResponse, ApplyFacilitiesResponse__Output as _inventory_v1_ApplyFacilitiesResponse__Output } from '../../inventory/v1/ApplyFacilitiesResponse.ts';
import type { ApplyIssuancesRequest as _inventory_v1_ApplyIssuancesRequest, ApplyIssuancesRequest__Output as _inventory_v1_ApplyIssuancesRequest__Output } from '../../inventory/v1/ApplyIssuancesRequest.ts';
import type { ApplyIssuancesResponse as _inventory_v1_ApplyIssuancesResponse, ApplyIssuancesResponse__Output as _inventory_v1_ApplyIssuancesResponse__Output } from '../../inventory/v1/ApplyIssuancesResponse.ts';
import type { ApproveTransactionRequest as _inventory_v1_ApproveTransactionRequest, ApproveTransactionRequest__Output as _inventory_v1_ApproveTransactionRequest__Output } from '../../inventory/v1/ApproveTransactionRequest.ts';
import type { GetCertificateHistoryRequest as _inventory_v1_GetCertificateHistoryRequest, GetCertificateHistoryRequest__Output as _inventory_v1_GetCertificateHistoryRequest__Output } from '../../inventory/v1/GetCertificateHistoryRequest.ts';
import type { GetFacilityRequest as _inventory_v1_GetFacilityRequest, GetFacilityRequest__Output as _inventory_v1_GetFacilityRequest__Output } from '../../inventory/v1/GetFacilityRequest.ts';
import type { GetIssuanceRequest as _inventory_v1_GetIssuanceRequest, GetIssuanceRequest__Output as _inventory_v1_GetIssuanceRequest__Output } from '../../inventory/v1/GetIssuanceRequest.ts';
import type { GetRegistryTransactionRequest as _inventory_v1_GetRegistryTransactionRequest, GetRegistryTransactionRequest__Output as _inventory_v1_GetRegistryTransactionRequest__Output } from '../../inventory/v1/GetRegistryTransactionRequest.ts';
import type { Issuance as _inventory_v1_Issuance, Issuance__Output as _inventory_v1_Issuance__Output } from '../../inventory/v1/Issuance.ts';
import type { JsonDocument as _common_v1_JsonDocument, JsonDocument__Output as _common_v1_JsonDocument__Output } from '../../common/v1/JsonDocument.ts';
import type { JsonPage as _common_v1_JsonPage, JsonPage__Output as _common_v1_JsonPage__Output } from '../../common/v1/JsonPage.ts';
import type { ListCertificatesRequest as _inventory_v1_ListCertificatesRequest, ListCertificatesRequest__Output as _inventory_v1_ListCertificatesRequest__Output } from '../../inventory/v1/ListCertificatesRequest.ts';
import type { ListFacilitiesRequest as _inventory_v1_ListFacilitiesRequest, ListFacilitiesRequest__Output as _inventory_v1_ListFacilitiesRequest__Output } from '../../inventory/v1/ListFacilitiesRequest.ts';
import type { ListFacilitiesResponse as _inventory_v1_ListFacilitiesResponse, ListFacilitiesResponse__Output as _inventory_v1_ListFacilitiesResponse__Output } from '../../inventory/v1/ListFacilitiesResponse.ts';
import type { ListIssuancesRequest as _inventory_v1_ListIssuancesRequest, ListIssuancesRequest__Output as _inventory_v1_ListIssuancesRequest__Output } from '../../inventory/v1/ListIssuancesRequest.ts';
import type { ListIssuancesResponse as _inventory_v1_ListIssuancesResponse, ListIssuancesResponse__Output as _inventory_v1_ListIssuancesResponse__Output } from '../../inventory/v1/ListIssuancesResponse.ts';
import type { ListRegistryTransactionsRequest as _inventory_v1_ListRegistryTransactionsRequest, ListRegistryTransactionsRequest__Output as _inventory_v1_ListRegistryTransactionsRequest__Output } from '../../inventory/v1/ListRegistryTransactionsRequest.ts';
import type { OnrampRequest as _inventory_v1_OnrampRequest, OnrampRequest__Output as _inventory_v1_OnrampRequest__Output } from '../../inventory/v1/OnrampRequest.ts';
import type { OnrampResponse as _inventory_v1_OnrampResponse, OnrampResponse__Output as _inventory_v1_OnrampResponse__Output } from '../../inventory/v1/OnrampResponse.ts';
import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';
import type { RejectTransactionRequest as _inventory_v1_RejectTransactionRequest, RejectTransactionRequest__Output as _inventory_v1_RejectTransactionRequest__Output } from '../../inventory/v1/RejectTransactionRequest.ts';

export interface LedgerServiceClient extends grpc.Client {
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyIssuancesResponse__Output>): grpc.ClientUnaryCall;
  
  ApproveTransaction(argument: _inventory_v1_ApproveTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  ApproveTransaction(argument: _inventory_v1_ApproveTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  ApproveTransaction(argument: _inventory_v1_ApproveTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  ApproveTransaction(argument: _inventory_v1_ApproveTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveTransaction(argument: _inventory_v1_ApproveTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveTransaction(argument: _inventory_v1_ApproveTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveTransaction(argument: _inventory_v1_ApproveTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  approveTransaction(argument: _inventory_v1_ApproveTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  GetFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  GetFacility(argument: _inventory_v1_GetFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  GetFacility(argument: _inventory_v1_GetFacilityRequest, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  
  GetIssuance(argument: _inventory_v1_GetIssuanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  GetIssuance(argument: _inventory_v1_GetIssuanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  GetIssuance(argument: _inventory_v1_GetIssuanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  GetIssuance(argument: _inventory_v1_GetIssuanceRequest, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  getIssuance(argument: _inventory_v1_GetIssuanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  getIssuance(argument: _inventory_v1_GetIssuanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  getIssuance(argument: _inventory_v1_GetIssuanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  getIssuance(argument: _inventory_v1_GetIssuanceRequest, callback: grpc.requestCallback<_inventory_v1_Issuance__Output>): grpc.ClientUnaryCall;
  
  GetRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetRegistryTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  ListCertificates(argument: _inventory_v1_ListCertificatesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListCertificates(argument: _inventory_v1_ListCertificatesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListCertificates(argument: _inventory_v1_ListCertificatesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListCertificates(argument: _inventory_v1_ListCertificatesRequest, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_ListCertificatesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_ListCertificatesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_ListCertificatesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_ListCertificatesRequest, callback: grpc.requestCallback<_common_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  
  ListFacilities(argument: _inventory_v1_ListFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ListFacilities(argument: _inventory_v1_ListFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ListFacilities(argument: _inventory_v1_ListFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ListFacilities(argument: _inventory_v1_ListFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_ListFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_ListFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_ListFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_ListFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  
  ListIssuances(argument: _inventory_v1_ListIssuancesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  ListIssuances(argument: _inventory_v1_ListIssuancesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  ListIssuances(argument: _inventory_v1_ListIssuancesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  ListIssuances(argument: _inventory_v1_ListIssuancesRequest, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  listIssuances(argument: _inventory_v1_ListIssuancesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  listIssuances(argument: _inventory_v1_ListIssuancesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  listIssuances(argument: _inventory_v1_ListIssuancesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  listIssuances(argument: _inventory_v1_ListIssuancesRequest, callback: grpc.requestCallback<_inventory_v1_ListIssuancesResponse__Output>): grpc.ClientUnaryCall;
  
  ListRegistryTransactions(argument: _inventory_v1_ListRegistryTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonPage__Output>;
  ListRegistryTransactions(argument: _inventory_v1_ListRegistryTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonPage__Output>;
  listRegistryTransactions(argument: _inventory_v1_ListRegistryTransactionsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonPage__Output>;
  listRegistryTransactions(argument: _inventory_v1_ListRegistryTransactionsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_JsonPage__Output>;
  
  Onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _inventory_v1_OnrampRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _inventory_v1_OnrampRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  
  RejectTransaction(argument: _inventory_v1_RejectTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  RejectTransaction(argument: _inventory_v1_RejectTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  RejectTransaction(argument: _inventory_v1_RejectTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  RejectTransaction(argument: _inventory_v1_RejectTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectTransaction(argument: _inventory_v1_RejectTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectTransaction(argument: _inventory_v1_RejectTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectTransaction(argument: _inventory_v1_RejectTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  rejectTransaction(argument: _inventory_v1_RejectTransactionRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
}

export interface LedgerServiceHandlers extends grpc.UntypedServiceImplementation {
  ApplyFacilities: grpc.handleUnaryCall<_inventory_v1_ApplyFacilitiesRequest__Output, _inventory_v1_ApplyFacilitiesResponse>;
  
  ApplyIssuances: grpc.handleUnaryCall<_inventory_v1_ApplyIssuancesRequest__Output, _inventory_v1_ApplyIssuancesResponse>;
  
  ApproveTransaction: grpc.handleUnaryCall<_inventory_v1_ApproveTransactionRequest__Output, _common_v1_JsonDocument>;
  
  GetCertificateHistory: grpc.handleUnaryCall<_inventory_v1_GetCertificateHistoryRequest__Output, _common_v1_JsonDocument>;
  
  GetFacility: grpc.handleUnaryCall<_inventory_v1_GetFacilityRequest__Output, _inventory_v1_RegistryFacility>;
  
  GetIssuance: grpc.handleUnaryCall<_inventory_v1_GetIssuanceRequest__Output, _inventory_v1_Issuance>;
  
  GetRegistryTransaction: grpc.handleUnaryCall<_inventory_v1_GetRegistryTransactionRequest__Output, _common_v1_JsonDocument>;
  
  ListCertificates: grpc.handleUnaryCall<_inventory_v1_ListCertificatesRequest__Output, _common_v1_JsonPage>;
  
  ListFacilities: grpc.handleUnaryCall<_inventory_v1_ListFacilitiesRequest__Output, _inventory_v1_ListFacilitiesResponse>;
  
  ListIssuances: grpc.handleUnaryCall<_inventory_v1_ListIssuancesRequest__Output, _inventory_v1_ListIssuancesResponse>;
  
  ListRegistryTransactions: grpc.handleServerStreamingCall<_inventory_v1_ListRegistryTransactionsRequest__Output, _common_v1_JsonPage>;
  
  Onramp: grpc.handleUnaryCall<_inventory_v1_OnrampRequest__Output, _inventory_v1_OnrampResponse>;
  
  RejectTransaction: grpc.handleUnaryCall<_inventory_v1_RejectTransactionRequest__Output, _common_v1_JsonDocument>;
  
}

export interface LedgerServiceDefinition extends grpc.ServiceDefinition {
  ApplyFacilities: MethodDefinition<_inventory_v1_ApplyFacilitiesRequest, _inventory_v1_ApplyFacilitiesResponse, _inventory_v1_ApplyFacilitiesRequest__Output, _inventory_v1_ApplyFacilitiesResponse__Output>
  ApplyIssuances: MethodDefinition<_inventory_v1_ApplyIssuancesRequest, _inventory_v1_ApplyIssuancesResponse, _inventory_v1_ApplyIssuancesRequest__Output, _inventory_v1_ApplyIssuancesResponse__Output>
  ApproveTransaction: MethodDefinition<_inventory_v1_ApproveTransactionRequest, _common_v1_JsonDocument, _inventory_v1_ApproveTransactionRequest__Output, _common_v1_JsonDocument__Output>
  GetCertificateHistory: MethodDefinition<_inventory_v1_GetCertificateHistoryRequest, _common_v1_JsonDocument, _inventory_v1_GetCertificateHistoryRequest__Output, _common_v1_JsonDocument__Output>
  GetFacility: MethodDefinition<_inventory_v1_GetFacilityRequest, _inventory_v1_RegistryFacility, _inventory_v1_GetFacilityRequest__Output, _inventory_v1_RegistryFacility__Output>
  GetIssuance: MethodDefinition<_inventory_v1_GetIssuanceRequest, _inventory_v1_Issuance, _inventory_v1_GetIssuanceRequest__Output, _inventory_v1_Issuance__Output>
  GetRegistryTransaction: MethodDefinition<_inventory_v1_GetRegistryTransactionRequest, _common_v1_JsonDocument, _inventory_v1_GetRegistryTransactionRequest__Output, _common_v1_JsonDocument__Output>
  ListCertificates: MethodDefinition<_inventory_v1_ListCertificatesRequest, _common_v1_JsonPage, _inventory_v1_ListCertificatesRequest__Output, _common_v1_JsonPage__Output>
  ListFacilities: MethodDefinition<_inventory_v1_ListFacilitiesRequest, _inventory_v1_ListFacilitiesResponse, _inventory_v1_ListFacilitiesRequest__Output, _inventory_v1_ListFacilitiesResponse__Output>
  ListIssuances: MethodDefinition<_inventory_v1_ListIssuancesRequest, _inventory_v1_ListIssuancesResponse, _inventory_v1_ListIssuancesRequest__Output, _inventory_v1_ListIssuancesResponse__Output>
  ListRegistryTransactions: MethodDefinition<_inventory_v1_ListRegistryTransactionsRequest, _common_v1_JsonPage, _inventory_v1_ListRegistryTransactionsRequest__Output, _common_v1_JsonPage__Output>
  Onramp: MethodDefinition<_inventory_v1_OnrampRequest, _inventory_v1_OnrampResponse, _inventory_v1_OnrampRequest__Output, _inventory_v1_OnrampResponse__Output>
  RejectTransaction: MethodDefinition<_inventory_v1_RejectTransactionRequest, _common_v1_JsonDocument, _inventory_v1_RejectTransactionRequest__Output, _common_v1_JsonDocument__Output>
}
