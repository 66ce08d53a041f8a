// Original file: protos/registry_import/v1/registry_import.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';
import type { AccountHolderFields as _registry_import_v1_AccountHolderFields, AccountHolderFields__Output as _registry_import_v1_AccountHolderFields__Output } from '../../registry_import/v1/AccountHolderFields.ts';
import type { GetAccountHoldersRequest as _registry_import_v1_GetAccountHoldersRequest, GetAccountHoldersRequest__Output as _registry_import_v1_GetAccountHoldersRequest__Output } from '../../registry_import/v1/GetAccountHoldersRequest.ts';
import type { GetAccountHoldersResponse as _registry_import_v1_GetAccountHoldersResponse, GetAccountHoldersResponse__Output as _registry_import_v1_GetAccountHoldersResponse__Output } from '../../registry_import/v1/GetAccountHoldersResponse.ts';

export interface AccountHolderDirectoryClient extends grpc.Client {
  EnsureAccountHolder(argument: _registry_import_v1_AccountHolderFields, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  EnsureAccountHolder(argument: _registry_import_v1_AccountHolderFields, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  EnsureAccountHolder(argument: _registry_import_v1_AccountHolderFields, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  EnsureAccountHolder(argument: _registry_import_v1_AccountHolderFields, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_AccountHolderFields, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_AccountHolderFields, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_AccountHolderFields, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_AccountHolderFields, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AccountHolderDirectoryHandlers extends grpc.UntypedServiceImplementation {
  EnsureAccountHolder: grpc.handleUnaryCall<_registry_import_v1_AccountHolderFields__Output, _registry_import_v1_AccountHolder>;
  
  GetAccountHolders: grpc.handleUnaryCall<_registry_import_v1_GetAccountHoldersRequest__Output, _registry_import_v1_GetAccountHoldersResponse>;
  
}

export interface AccountHolderDirectoryDefinition extends grpc.ServiceDefinition {
  EnsureAccountHolder: MethodDefinition<_registry_import_v1_AccountHolderFields, _registry_import_v1_AccountHolder, _registry_import_v1_AccountHolderFields__Output, _registry_import_v1_AccountHolder__Output>
  GetAccountHolders: MethodDefinition<_registry_import_v1_GetAccountHoldersRequest, _registry_import_v1_GetAccountHoldersResponse, _registry_import_v1_GetAccountHoldersRequest__Output, _registry_import_v1_GetAccountHoldersResponse__Output>
}
