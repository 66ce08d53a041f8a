// Original file: protos/registry_import/v1/registry_import.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';
import type { EnsureAccountHolderRequest as _registry_import_v1_EnsureAccountHolderRequest, EnsureAccountHolderRequest__Output as _registry_import_v1_EnsureAccountHolderRequest__Output } from '../../registry_import/v1/EnsureAccountHolderRequest.ts';
import type { GetAccountHoldersRequest as _registry_import_v1_GetAccountHoldersRequest, GetAccountHoldersRequest__Output as _registry_import_v1_GetAccountHoldersRequest__Output } from '../../registry_import/v1/GetAccountHoldersRequest.ts';
import type { GetAccountHoldersResponse as _registry_import_v1_GetAccountHoldersResponse, GetAccountHoldersResponse__Output as _registry_import_v1_GetAccountHoldersResponse__Output } from '../../registry_import/v1/GetAccountHoldersResponse.ts';

export interface AccountHolderDirectoryServiceClient extends grpc.Client {
  EnsureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  EnsureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  EnsureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  EnsureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ensureAccountHolder(argument: _registry_import_v1_EnsureAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  GetAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  getAccountHolders(argument: _registry_import_v1_GetAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_GetAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AccountHolderDirectoryServiceHandlers extends grpc.UntypedServiceImplementation {
  EnsureAccountHolder: grpc.handleUnaryCall<_registry_import_v1_EnsureAccountHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
  GetAccountHolders: grpc.handleUnaryCall<_registry_import_v1_GetAccountHoldersRequest__Output, _registry_import_v1_GetAccountHoldersResponse>;
  
}

export interface AccountHolderDirectoryServiceDefinition extends grpc.ServiceDefinition {
  EnsureAccountHolder: MethodDefinition<_registry_import_v1_EnsureAccountHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_EnsureAccountHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
  GetAccountHolders: MethodDefinition<_registry_import_v1_GetAccountHoldersRequest, _registry_import_v1_GetAccountHoldersResponse, _registry_import_v1_GetAccountHoldersRequest__Output, _registry_import_v1_GetAccountHoldersResponse__Output>
}
