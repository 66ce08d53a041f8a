// Original file: protos/registry_import/v1/registry_import.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetImportRequest as _registry_import_v1_GetImportRequest, GetImportRequest__Output as _registry_import_v1_GetImportRequest__Output } from '../../registry_import/v1/GetImportRequest.ts';
import type { Import as _registry_import_v1_Import, Import__Output as _registry_import_v1_Import__Output } from '../../registry_import/v1/Import.ts';
import type { ListImportErrorsRequest as _registry_import_v1_ListImportErrorsRequest, ListImportErrorsRequest__Output as _registry_import_v1_ListImportErrorsRequest__Output } from '../../registry_import/v1/ListImportErrorsRequest.ts';
import type { ListImportErrorsResponse as _registry_import_v1_ListImportErrorsResponse, ListImportErrorsResponse__Output as _registry_import_v1_ListImportErrorsResponse__Output } from '../../registry_import/v1/ListImportErrorsResponse.ts';
import type { ListImportsRequest as _registry_import_v1_ListImportsRequest, ListImportsRequest__Output as _registry_import_v1_ListImportsRequest__Output } from '../../registry_import/v1/ListImportsRequest.ts';
import type { ListImportsResponse as _registry_import_v1_ListImportsResponse, ListImportsResponse__Output as _registry_import_v1_ListImportsResponse__Output } from '../../registry_import/v1/ListImportsResponse.ts';
import type { StartImportRequest as _registry_import_v1_StartImportRequest, StartImportRequest__Output as _registry_import_v1_StartImportRequest__Output } from '../../registry_import/v1/StartImportRequest.ts';

export interface ImportAdministrationServiceClient extends grpc.Client {
  GetImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  GetImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  GetImport(argument: _registry_import_v1_GetImportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  GetImport(argument: _registry_import_v1_GetImportRequest, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  
  ListImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  ListImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  ListImports(argument: _registry_import_v1_ListImportsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  ListImports(argument: _registry_import_v1_ListImportsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  
  StartImport(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  StartImport(metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  StartImport(options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  StartImport(callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  
}

export interface ImportAdministrationServiceHandlers extends grpc.UntypedServiceImplementation {
  GetImport: grpc.handleUnaryCall<_registry_import_v1_GetImportRequest__Output, _registry_import_v1_Import>;
  
  ListImportErrors: grpc.handleUnaryCall<_registry_import_v1_ListImportErrorsRequest__Output, _registry_import_v1_ListImportErrorsResponse>;
  
  ListImports: grpc.handleUnaryCall<_registry_import_v1_ListImportsRequest__Output, _registry_import_v1_ListImportsResponse>;
  
  StartImport: grpc.handleClientStreamingCall<_registry_import_v1_StartImportRequest__Output, _registry_import_v1_Import>;
  
}

export interface ImportAdministrationServiceDefinition extends grpc.ServiceDefinition {
  GetImport: MethodDefinition<_registry_import_v1_GetImportRequest, _registry_import_v1_Import, _registry_import_v1_GetImportRequest__Output, _registry_import_v1_Import__Output>
  ListImportErrors: MethodDefinition<_registry_import_v1_ListImportErrorsRequest, _registry_import_v1_ListImportErrorsResponse, _registry_import_v1_ListImportErrorsRequest__Output, _registry_import_v1_ListImportErrorsResponse__Output>
  ListImports: MethodDefinition<_registry_import_v1_ListImportsRequest, _registry_import_v1_ListImportsResponse, _registry_import_v1_ListImportsRequest__Output, _registry_import_v1_ListImportsResponse__Output>
  StartImport: MethodDefinition<_registry_import_v1_StartImportRequest, _registry_import_v1_Import, _registry_import_v1_StartImportRequest__Output, _registry_import_v1_Import__Output>
}
