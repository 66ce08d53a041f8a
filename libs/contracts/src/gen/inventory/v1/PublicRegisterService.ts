// Original file: protos/inventory/v1/inventory.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetCertificateStatusRequest as _inventory_v1_GetCertificateStatusRequest, GetCertificateStatusRequest__Output as _inventory_v1_GetCertificateStatusRequest__Output } from '../../inventory/v1/GetCertificateStatusRequest.ts';
import type { GetStatementKeysRequest as _inventory_v1_GetStatementKeysRequest, GetStatementKeysRequest__Output as _inventory_v1_GetStatementKeysRequest__Output } from '../../inventory/v1/GetStatementKeysRequest.ts';
import type { GetStatementRequest as _inventory_v1_GetStatementRequest, GetStatementRequest__Output as _inventory_v1_GetStatementRequest__Output } from '../../inventory/v1/GetStatementRequest.ts';
import type { JsonDocument as _common_v1_JsonDocument, JsonDocument__Output as _common_v1_JsonDocument__Output } from '../../common/v1/JsonDocument.ts';
import type { JsonRows as _common_v1_JsonRows, JsonRows__Output as _common_v1_JsonRows__Output } from '../../common/v1/JsonRows.ts';
import type { ListStatementsRequest as _inventory_v1_ListStatementsRequest, ListStatementsRequest__Output as _inventory_v1_ListStatementsRequest__Output } from '../../inventory/v1/ListStatementsRequest.ts';

export interface PublicRegisterServiceClient extends grpc.Client {
  GetCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getCertificateStatus(argument: _inventory_v1_GetCertificateStatusRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetStatement(argument: _inventory_v1_GetStatementRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetStatement(argument: _inventory_v1_GetStatementRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetStatement(argument: _inventory_v1_GetStatementRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetStatement(argument: _inventory_v1_GetStatementRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _inventory_v1_GetStatementRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _inventory_v1_GetStatementRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _inventory_v1_GetStatementRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatement(argument: _inventory_v1_GetStatementRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  GetStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  GetStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  getStatementKeys(argument: _inventory_v1_GetStatementKeysRequest, callback: grpc.requestCallback<_common_v1_JsonDocument__Output>): grpc.ClientUnaryCall;
  
  ListStatements(argument: _inventory_v1_ListStatementsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  ListStatements(argument: _inventory_v1_ListStatementsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  ListStatements(argument: _inventory_v1_ListStatementsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  ListStatements(argument: _inventory_v1_ListStatementsRequest, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _inventory_v1_ListStatementsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _inventory_v1_ListStatementsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _inventory_v1_ListStatementsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  listStatements(argument: _inventory_v1_ListStatementsRequest, callback: grpc.requestCallback<_common_v1_JsonRows__Output>): grpc.ClientUnaryCall;
  
}

export interface PublicRegisterServiceHandlers extends grpc.UntypedServiceImplementation {
  GetCertificateStatus: grpc.handleUnaryCall<_inventory_v1_GetCertificateStatusRequest__Output, _common_v1_JsonDocument>;
  
  GetStatement: grpc.handleUnaryCall<_inventory_v1_GetStatementRequest__Output, _common_v1_JsonDocument>;
  
  GetStatementKeys: grpc.handleUnaryCall<_inventory_v1_GetStatementKeysRequest__Output, _common_v1_JsonDocument>;
  
  ListStatements: grpc.handleUnaryCall<_inventory_v1_ListStatementsRequest__Output, _common_v1_JsonRows>;
  
}

export interface PublicRegisterServiceDefinition extends grpc.ServiceDefinition {
  GetCertificateStatus: MethodDefinition<_inventory_v1_GetCertificateStatusRequest, _common_v1_JsonDocument, _inventory_v1_GetCertificateStatusRequest__Output, _common_v1_JsonDocument__Output>
  GetStatement: MethodDefinition<_inventory_v1_GetStatementRequest, _common_v1_JsonDocument, _inventory_v1_GetStatementRequest__Output, _common_v1_JsonDocument__Output>
  GetStatementKeys: MethodDefinition<_inventory_v1_GetStatementKeysRequest, _common_v1_JsonDocument, _inventory_v1_GetStatementKeysRequest__Output, _common_v1_JsonDocument__Output>
  ListStatements: MethodDefinition<_inventory_v1_ListStatementsRequest, _common_v1_JsonRows, _inventory_v1_ListStatementsRequest__Output, _common_v1_JsonRows__Output>
}
