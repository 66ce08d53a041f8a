// Original file: protos/registry_import/v1/registry_import.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';
import type { FindAccountHoldersRequest as _registry_import_v1_FindAccountHoldersRequest, FindAccountHoldersRequest__Output as _registry_import_v1_FindAccountHoldersRequest__Output } from '../../registry_import/v1/FindAccountHoldersRequest.ts';
import type { FindAccountHoldersResponse as _registry_import_v1_FindAccountHoldersResponse, FindAccountHoldersResponse__Output as _registry_import_v1_FindAccountHoldersResponse__Output } from '../../registry_import/v1/FindAccountHoldersResponse.ts';
import type { ResumeAccountHolderRequest as _registry_import_v1_ResumeAccountHolderRequest, ResumeAccountHolderRequest__Output as _registry_import_v1_ResumeAccountHolderRequest__Output } from '../../registry_import/v1/ResumeAccountHolderRequest.ts';
import type { SetKindRequest as _registry_import_v1_SetKindRequest, SetKindRequest__Output as _registry_import_v1_SetKindRequest__Output } from '../../registry_import/v1/SetKindRequest.ts';
import type { SuspendAccountHolderRequest as _registry_import_v1_SuspendAccountHolderRequest, SuspendAccountHolderRequest__Output as _registry_import_v1_SuspendAccountHolderRequest__Output } from '../../registry_import/v1/SuspendAccountHolderRequest.ts';

export interface AccountHolderAdministrationServiceClient extends grpc.Client {
  FindAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  FindAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  FindAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  FindAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  findAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  findAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  findAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  findAccountHolders(argument: _registry_import_v1_FindAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_FindAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  
  ResumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ResumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ResumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  ResumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  resumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  resumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  resumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  resumeAccountHolder(argument: _registry_import_v1_ResumeAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
  SetKind(argument: _registry_import_v1_SetKindRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  SetKind(argument: _registry_import_v1_SetKindRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  SetKind(argument: _registry_import_v1_SetKindRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  SetKind(argument: _registry_import_v1_SetKindRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  setKind(argument: _registry_import_v1_SetKindRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  setKind(argument: _registry_import_v1_SetKindRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  setKind(argument: _registry_import_v1_SetKindRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  setKind(argument: _registry_import_v1_SetKindRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
  SuspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  SuspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  SuspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  SuspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  suspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  suspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  suspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  suspendAccountHolder(argument: _registry_import_v1_SuspendAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
}

export interface AccountHolderAdministrationServiceHandlers extends grpc.UntypedServiceImplementation {
  FindAccountHolders: grpc.handleUnaryCall<_registry_import_v1_FindAccountHoldersRequest__Output, _registry_import_v1_FindAccountHoldersResponse>;
  
  ResumeAccountHolder: grpc.handleUnaryCall<_registry_import_v1_ResumeAccountHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
  SetKind: grpc.handleUnaryCall<_registry_import_v1_SetKindRequest__Output, _registry_import_v1_AccountHolder>;
  
  SuspendAccountHolder: grpc.handleUnaryCall<_registry_import_v1_SuspendAccountHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
}

export interface AccountHolderAdministrationServiceDefinition extends grpc.ServiceDefinition {
  FindAccountHolders: MethodDefinition<_registry_import_v1_FindAccountHoldersRequest, _registry_import_v1_FindAccountHoldersResponse, _registry_import_v1_FindAccountHoldersRequest__Output, _registry_import_v1_FindAccountHoldersResponse__Output>
  ResumeAccountHolder: MethodDefinition<_registry_import_v1_ResumeAccountHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_ResumeAccountHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
  SetKind: MethodDefinition<_registry_import_v1_SetKindRequest, _registry_import_v1_AccountHolder, _registry_import_v1_SetKindRequest__Output, _registry_import_v1_AccountHolder__Output>
  SuspendAccountHolder: MethodDefinition<_registry_import_v1_SuspendAccountHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_SuspendAccountHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
}
