// Original file: protos/identity/v1/identity.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreatedKey as _identity_v1_CreatedKey, CreatedKey__Output as _identity_v1_CreatedKey__Output } from '../../identity/v1/CreatedKey.ts';
import type { EnsureUserRequest as _identity_v1_EnsureUserRequest, EnsureUserRequest__Output as _identity_v1_EnsureUserRequest__Output } from '../../identity/v1/EnsureUserRequest.ts';
import type { GetUserRequest as _identity_v1_GetUserRequest, GetUserRequest__Output as _identity_v1_GetUserRequest__Output } from '../../identity/v1/GetUserRequest.ts';
import type { GetUsersRequest as _identity_v1_GetUsersRequest, GetUsersRequest__Output as _identity_v1_GetUsersRequest__Output } from '../../identity/v1/GetUsersRequest.ts';
import type { GetUsersResponse as _identity_v1_GetUsersResponse, GetUsersResponse__Output as _identity_v1_GetUsersResponse__Output } from '../../identity/v1/GetUsersResponse.ts';
import type { IssueApiKeyRequest as _identity_v1_IssueApiKeyRequest, IssueApiKeyRequest__Output as _identity_v1_IssueApiKeyRequest__Output } from '../../identity/v1/IssueApiKeyRequest.ts';
import type { IssueRegistryKeyRequest as _identity_v1_IssueRegistryKeyRequest, IssueRegistryKeyRequest__Output as _identity_v1_IssueRegistryKeyRequest__Output } from '../../identity/v1/IssueRegistryKeyRequest.ts';
import type { SetAccountHolderRequest as _identity_v1_SetAccountHolderRequest, SetAccountHolderRequest__Output as _identity_v1_SetAccountHolderRequest__Output } from '../../identity/v1/SetAccountHolderRequest.ts';
import type { User as _identity_v1_User, User__Output as _identity_v1_User__Output } from '../../identity/v1/User.ts';

export interface UserDirectoryServiceClient extends grpc.Client {
  EnsureUser(argument: _identity_v1_EnsureUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  EnsureUser(argument: _identity_v1_EnsureUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  EnsureUser(argument: _identity_v1_EnsureUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  EnsureUser(argument: _identity_v1_EnsureUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  ensureUser(argument: _identity_v1_EnsureUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  ensureUser(argument: _identity_v1_EnsureUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  ensureUser(argument: _identity_v1_EnsureUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  ensureUser(argument: _identity_v1_EnsureUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  
  GetUser(argument: _identity_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _identity_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _identity_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  GetUser(argument: _identity_v1_GetUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _identity_v1_GetUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _identity_v1_GetUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _identity_v1_GetUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  getUser(argument: _identity_v1_GetUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  
  GetUsers(argument: _identity_v1_GetUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  GetUsers(argument: _identity_v1_GetUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  GetUsers(argument: _identity_v1_GetUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  GetUsers(argument: _identity_v1_GetUsersRequest, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  getUsers(argument: _identity_v1_GetUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  getUsers(argument: _identity_v1_GetUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  getUsers(argument: _identity_v1_GetUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  getUsers(argument: _identity_v1_GetUsersRequest, callback: grpc.requestCallback<_identity_v1_GetUsersResponse__Output>): grpc.ClientUnaryCall;
  
  IssueApiKey(argument: _identity_v1_IssueApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  IssueApiKey(argument: _identity_v1_IssueApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  IssueApiKey(argument: _identity_v1_IssueApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  IssueApiKey(argument: _identity_v1_IssueApiKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueApiKey(argument: _identity_v1_IssueApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueApiKey(argument: _identity_v1_IssueApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueApiKey(argument: _identity_v1_IssueApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueApiKey(argument: _identity_v1_IssueApiKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  IssueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  IssueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  IssueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  IssueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  issueRegistryKey(argument: _identity_v1_IssueRegistryKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  SetAccountHolder(argument: _identity_v1_SetAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  SetAccountHolder(argument: _identity_v1_SetAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  SetAccountHolder(argument: _identity_v1_SetAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  SetAccountHolder(argument: _identity_v1_SetAccountHolderRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  setAccountHolder(argument: _identity_v1_SetAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  setAccountHolder(argument: _identity_v1_SetAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  setAccountHolder(argument: _identity_v1_SetAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  setAccountHolder(argument: _identity_v1_SetAccountHolderRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  
}

export interface UserDirectoryServiceHandlers extends grpc.UntypedServiceImplementation {
  EnsureUser: grpc.handleUnaryCall<_identity_v1_EnsureUserRequest__Output, _identity_v1_User>;
  
  GetUser: grpc.handleUnaryCall<_identity_v1_GetUserRequest__Output, _identity_v1_User>;
  
  GetUsers: grpc.handleUnaryCall<_identity_v1_GetUsersRequest__Output, _identity_v1_GetUsersResponse>;
  
  IssueApiKey: grpc.handleUnaryCall<_identity_v1_IssueApiKeyRequest__Output, _identity_v1_CreatedKey>;
  
  IssueRegistryKey: grpc.handleUnaryCall<_identity_v1_IssueRegistryKeyRequest__Output, _identity_v1_CreatedKey>;
  
  SetAccountHolder: grpc.handleUnaryCall<_identity_v1_SetAccountHolderRequest__Output, _identity_v1_User>;
  
}

export interface UserDirectoryServiceDefinition extends grpc.ServiceDefinition {
  EnsureUser: MethodDefinition<_identity_v1_EnsureUserRequest, _identity_v1_User, _identity_v1_EnsureUserRequest__Output, _identity_v1_User__Output>
  GetUser: MethodDefinition<_identity_v1_GetUserRequest, _identity_v1_User, _identity_v1_GetUserRequest__Output, _identity_v1_User__Output>
  GetUsers: MethodDefinition<_identity_v1_GetUsersRequest, _identity_v1_GetUsersResponse, _identity_v1_GetUsersRequest__Output, _identity_v1_GetUsersResponse__Output>
  IssueApiKey: MethodDefinition<_identity_v1_IssueApiKeyRequest, _identity_v1_CreatedKey, _identity_v1_IssueApiKeyRequest__Output, _identity_v1_CreatedKey__Output>
  IssueRegistryKey: MethodDefinition<_identity_v1_IssueRegistryKeyRequest, _identity_v1_CreatedKey, _identity_v1_IssueRegistryKeyRequest__Output, _identity_v1_CreatedKey__Output>
  SetAccountHolder: MethodDefinition<_identity_v1_SetAccountHolderRequest, _identity_v1_User, _identity_v1_SetAccountHolderRequest__Output, _identity_v1_User__Output>
}
