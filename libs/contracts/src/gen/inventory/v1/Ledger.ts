// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ApplyFacilitiesRequest as _inventory_v1_ApplyFacilitiesRequest, ApplyFacilitiesRequest__Output as _inventory_v1_ApplyFacilitiesRequest__Output } from '../../inventory/v1/ApplyFacilitiesRequest.ts';
import type { ApplyIssuancesRequest as _inventory_v1_ApplyIssuancesRequest, ApplyIssuancesRequest__Output as _inventory_v1_ApplyIssuancesRequest__Output } from '../../inventory/v1/ApplyIssuancesRequest.ts';
import type { ApplyResponse as _inventory_v1_ApplyResponse, ApplyResponse__Output as _inventory_v1_ApplyResponse__Output } from '../../inventory/v1/ApplyResponse.ts';
import type { DecideTransactionRequest as _inventory_v1_DecideTransactionRequest, DecideTransactionRequest__Output as _inventory_v1_DecideTransactionRequest__Output } from '../../inventory/v1/DecideTransactionRequest.ts';
import type { GetCertificateHistoryRequest as _inventory_v1_GetCertificateHistoryRequest, GetCertificateHistoryRequest__Output as _inventory_v1_GetCertificateHistoryRequest__Output } from '../../inventory/v1/GetCertificateHistoryRequest.ts';
import type { GetFacilityRequest as _inventory_v1_GetFacilityRequest, GetFacilityRequest__Output as _inventory_v1_GetFacilityRequest__Output } from '../../inventory/v1/GetFacilityRequest.ts';
import type { GetTransactionRequest as _inventory_v1_GetTransactionRequest, GetTransactionRequest__Output as _inventory_v1_GetTransactionRequest__Output } from '../../inventory/v1/GetTransactionRequest.ts';
import type { JsonDocument as _inventory_v1_JsonDocument, JsonDocument__Output as _inventory_v1_JsonDocument__Output } from '../../inventory/v1/JsonDocument.ts';
import type { JsonPage as _inventory_v1_JsonPage, JsonPage__Output as _inventory_v1_JsonPage__Output } from '../../inventory/v1/JsonPage.ts';
import type { ListFacilitiesResponse as _inventory_v1_ListFacilitiesResponse, ListFacilitiesResponse__Output as _inventory_v1_ListFacilitiesResponse__Output } from '../../inventory/v1/ListFacilitiesResponse.ts';
import type { OnrampRequest as _inventory_v1_OnrampRequest, OnrampRequest__Output as _inventory_v1_OnrampRequest__Output } from '../../inventory/v1/OnrampRequest.ts';
import type { PageRequest as _inventory_v1_PageRequest, PageRequest__Output as _inventory_v1_PageRequest__Output } from '../../inventory/v1/PageRequest.ts';
import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from '../../inventory/v1/RegistryFacility.ts';

export interface LedgerClient extends grpc.Client {
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  ApplyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyFacilities(argument: _inventory_v1_ApplyFacilitiesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  ApplyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  applyIssuances(argument: _inventory_v1_ApplyIssuancesRequest, callback: grpc.requestCallback<_inventory_v1_ApplyResponse__Output>): grpc.ClientUnaryCall;
  
  DecideTransaction(argument: _inventory_v1_DecideTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  DecideTransaction(argument: _inventory_v1_DecideTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  DecideTransaction(argument: _inventory_v1_DecideTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  DecideTransaction(argument: _inventory_v1_DecideTransactionRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  decideTransaction(argument: _inventory_v1_DecideTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  decideTransaction(argument: _inventory_v1_DecideTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  decideTransaction(argument: _inventory_v1_DecideTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  decideTransaction(argument: _inventory_v1_DecideTransactionRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateHistory(argument: _inventory_v1_GetCertificateHistoryRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  GetFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  GetFacility(argument: _inventory_v1_GetFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  GetFacility(argument: _inventory_v1_GetFacilityRequest, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  getFacility(argument: _inventory_v1_GetFacilityRequest, callback: grpc.requestCallback<_inventory_v1_RegistryFacility__Output>): grpc.ClientUnaryCall;
  
  GetRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getRegistryTransaction(argument: _inventory_v1_GetTransactionRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  ListCertificates(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListCertificates(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListCertificates(argument: _inventory_v1_PageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListCertificates(argument: _inventory_v1_PageRequest, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_PageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listCertificates(argument: _inventory_v1_PageRequest, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  
  ListFacilities(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ListFacilities(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ListFacilities(argument: _inventory_v1_PageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  ListFacilities(argument: _inventory_v1_PageRequest, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_PageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  listFacilities(argument: _inventory_v1_PageRequest, callback: grpc.requestCallback<_inventory_v1_ListFacilitiesResponse__Output>): grpc.ClientUnaryCall;
  
  ListRegistryTransactions(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListRegistryTransactions(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListRegistryTransactions(argument: _inventory_v1_PageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  ListRegistryTransactions(argument: _inventory_v1_PageRequest, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listRegistryTransactions(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listRegistryTransactions(argument: _inventory_v1_PageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listRegistryTransactions(argument: _inventory_v1_PageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  listRegistryTransactions(argument: _inventory_v1_PageRequest, callback: grpc.requestCallback<_inventory_v1_JsonPage__Output>): grpc.ClientUnaryCall;
  
  Onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _inventory_v1_OnrampRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _inventory_v1_OnrampRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  onramp(argument: _inventory_v1_OnrampRequest, callback: grpc.requestCallback<_inventory_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
}

export interface LedgerHandlers extends grpc.UntypedServiceImplementation {
  ApplyFacilities: grpc.handleUnaryCall<_inventory_v1_ApplyFacilitiesRequest__Output, _inventory_v1_ApplyResponse>;
  
  ApplyIssuances: grpc.handleUnaryCall<_inventory_v1_ApplyIssuancesRequest__Output, _inventory_v1_ApplyResponse>;
  
  DecideTransaction: grpc.handleUnaryCall<_inventory_v1_DecideTransactionRequest__Output, _inventory_v1_JsonDocument>;
  
  GetCertificateHistory: grpc.handleUnaryCall<_inventory_v1_GetCertificateHistoryRequest__Output, _inventory_v1_JsonDocument>;
  
  GetFacility: grpc.handleUnaryCall<_inventory_v1_GetFacilityRequest__Output, _inventory_v1_RegistryFacility>;
  
  GetRegistryTransaction: grpc.handleUnaryCall<_inventory_v1_GetTransactionRequest__Output, _inventory_v1_JsonDocument>;
  
  ListCertificates: grpc.handleUnaryCall<_inventory_v1_PageRequest__Output, _inventory_v1_JsonPage>;
  
  ListFacilities: grpc.handleUnaryCall<_inventory_v1_PageRequest__Output, _inventory_v1_ListFacilitiesResponse>;
  
  ListRegistryTransactions: grpc.handleUnaryCall<_inventory_v1_PageRequest__Output, _inventory_v1_JsonPage>;
  
  Onramp: grpc.handleUnaryCall<_inventory_v1_OnrampRequest__Output, _inventory_v1_JsonDocument>;
  
}

export interface LedgerDefinition extends grpc.ServiceDefinition {
  ApplyFacilities: MethodDefinition<_inventory_v1_ApplyFacilitiesRequest, _inventory_v1_ApplyResponse, _inventory_v1_ApplyFacilitiesRequest__Output, _inventory_v1_ApplyResponse__Output>
  ApplyIssuances: MethodDefinition<_inventory_v1_ApplyIssuancesRequest, _inventory_v1_ApplyResponse, _inventory_v1_ApplyIssuancesRequest__Output, _inventory_v1_ApplyResponse__Output>
  DecideTransaction: MethodDefinition<_inventory_v1_DecideTransactionRequest, _inventory_v1_JsonDocument, _inventory_v1_DecideTransactionRequest__Output, _inventory_v1_JsonDocument__Output>
  GetCertificateHistory: MethodDefinition<_inventory_v1_GetCertificateHistoryRequest, _inventory_v1_JsonDocument, _inventory_v1_GetCertificateHistoryRequest__Output, _inventory_v1_JsonDocument__Output>
  GetFacility: MethodDefinition<_inventory_v1_GetFacilityRequest, _inventory_v1_RegistryFacility, _inventory_v1_GetFacilityRequest__Output, _inventory_v1_RegistryFacility__Output>
  GetRegistryTransaction: MethodDefinition<_inventory_v1_GetTransactionRequest, _inventory_v1_JsonDocument, _inventory_v1_GetTransactionRequest__Output, _inventory_v1_JsonDocument__Output>
  ListCertificates: MethodDefinition<_inventory_v1_PageRequest, _inventory_v1_JsonPage, _inventory_v1_PageRequest__Output, _inventory_v1_JsonPage__Output>
  ListFacilities: MethodDefinition<_inventory_v1_PageRequest, _inventory_v1_ListFacilitiesResponse, _inventory_v1_PageRequest__Output, _inventory_v1_ListFacilitiesResponse__Output>
  ListRegistryTransactions: MethodDefinition<_inventory_v1_PageRequest, _inventory_v1_JsonPage, _inventory_v1_PageRequest__Output, _inventory_v1_JsonPage__Output>
  Onramp: MethodDefinition<_inventory_v1_OnrampRequest, _inventory_v1_JsonDocument, _inventory_v1_OnrampRequest__Output, _inventory_v1_JsonDocument__Output>
}
