// Original file: protos/identity/v1/identity.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuthenticateRequest as _identity_v1_AuthenticateRequest, AuthenticateRequest__Output as _identity_v1_AuthenticateRequest__Output } from '../../identity/v1/AuthenticateRequest.ts';
import type { AuthenticateResponse as _identity_v1_AuthenticateResponse, AuthenticateResponse__Output as _identity_v1_AuthenticateResponse__Output } from '../../identity/v1/AuthenticateResponse.ts';
import type { CreateApiKeyRequest as _identity_v1_CreateApiKeyRequest, CreateApiKeyRequest__Output as _identity_v1_CreateApiKeyRequest__Output } from '../../identity/v1/CreateApiKeyRequest.ts';
import type { CreateRegistryKeyRequest as _identity_v1_CreateRegistryKeyRequest, CreateRegistryKeyRequest__Output as _identity_v1_CreateRegistryKeyRequest__Output } from '../../identity/v1/CreateRegistryKeyRequest.ts';
import type { CreatedKey as _identity_v1_CreatedKey, CreatedKey__Output as _identity_v1_CreatedKey__Output } from '../../identity/v1/CreatedKey.ts';
import type { DeleteApiKeyRequest as _identity_v1_DeleteApiKeyRequest, DeleteApiKeyRequest__Output as _identity_v1_DeleteApiKeyRequest__Output } from '../../identity/v1/DeleteApiKeyRequest.ts';
import type { DeleteRegistryKeyRequest as _identity_v1_DeleteRegistryKeyRequest, DeleteRegistryKeyRequest__Output as _identity_v1_DeleteRegistryKeyRequest__Output } from '../../identity/v1/DeleteRegistryKeyRequest.ts';
import type { EndOwnSessionsRequest as _identity_v1_EndOwnSessionsRequest, EndOwnSessionsRequest__Output as _identity_v1_EndOwnSessionsRequest__Output } from '../../identity/v1/EndOwnSessionsRequest.ts';
import type { GetMeRequest as _identity_v1_GetMeRequest, GetMeRequest__Output as _identity_v1_GetMeRequest__Output } from '../../identity/v1/GetMeRequest.ts';
import type { IntroduceUserRequest as _identity_v1_IntroduceUserRequest, IntroduceUserRequest__Output as _identity_v1_IntroduceUserRequest__Output } from '../../identity/v1/IntroduceUserRequest.ts';
import type { IntroduceUserResponse as _identity_v1_IntroduceUserResponse, IntroduceUserResponse__Output as _identity_v1_IntroduceUserResponse__Output } from '../../identity/v1/IntroduceUserResponse.ts';
import type { Key as _identity_v1_Key, Key__Output as _identity_v1_Key__Output } from '../../identity/v1/Key.ts';
import type { KeyDetail as _identity_v1_KeyDetail, KeyDetail__Output as _identity_v1_KeyDetail__Output } from '../../identity/v1/KeyDetail.ts';
import type { ListApiKeysRequest as _identity_v1_ListApiKeysRequest, ListApiKeysRequest__Output as _identity_v1_ListApiKeysRequest__Output } from '../../identity/v1/ListApiKeysRequest.ts';
import type { ListApiKeysResponse as _identity_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _identity_v1_ListApiKeysResponse__Output } from '../../identity/v1/ListApiKeysResponse.ts';
import type { ListKeyDetailsRequest as _identity_v1_ListKeyDetailsRequest, ListKeyDetailsRequest__Output as _identity_v1_ListKeyDetailsRequest__Output } from '../../identity/v1/ListKeyDetailsRequest.ts';
import type { ListKeyDetailsResponse as _identity_v1_ListKeyDetailsResponse, ListKeyDetailsResponse__Output as _identity_v1_ListKeyDetailsResponse__Output } from '../../identity/v1/ListKeyDetailsResponse.ts';
import type { ListOwnSessionsRequest as _identity_v1_ListOwnSessionsRequest, ListOwnSessionsRequest__Output as _identity_v1_ListOwnSessionsRequest__Output } from '../../identity/v1/ListOwnSessionsRequest.ts';
import type { ListRegistryKeysRequest as _identity_v1_ListRegistryKeysRequest, ListRegistryKeysRequest__Output as _identity_v1_ListRegistryKeysRequest__Output } from '../../identity/v1/ListRegistryKeysRequest.ts';
import type { ListRegistryKeysResponse as _identity_v1_ListRegistryKeysResponse, ListRegistryKeysResponse__Output as _identity_v1_ListRegistryKeysResponse__Output } from '../../identity/v1/ListRegistryKeysResponse.ts';
import type { Me as _identity_v1_Me, Me__Output as _identity_v1_Me__Output } from '../../identity/v1/Me.ts';
import type { NameKeyRequest as _identity_v1_NameKeyRequest, NameKeyRequest__Output as _identity_v1_NameKeyRequest__Output } from '../../identity/v1/NameKeyRequest.ts';
import type { SessionList as _identity_v1_SessionList, SessionList__Output as _identity_v1_SessionList__Output } from '../../identity/v1/SessionList.ts';

export interface IdentityServiceClient extends grpc.Client {
  Authenticate(argument: _identity_v1_AuthenticateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  Authenticate(argument: _identity_v1_AuthenticateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  Authenticate(argument: _identity_v1_AuthenticateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  Authenticate(argument: _identity_v1_AuthenticateRequest, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _identity_v1_AuthenticateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _identity_v1_AuthenticateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _identity_v1_AuthenticateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  authenticate(argument: _identity_v1_AuthenticateRequest, callback: grpc.requestCallback<_identity_v1_AuthenticateResponse__Output>): grpc.ClientUnaryCall;
  
  CreateApiKey(argument: _identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateApiKey(argument: _identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateApiKey(argument: _identity_v1_CreateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateApiKey(argument: _identity_v1_CreateApiKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _identity_v1_CreateApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _identity_v1_CreateApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createApiKey(argument: _identity_v1_CreateApiKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  CreateRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  CreateRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  createRegistryKey(argument: _identity_v1_CreateRegistryKeyRequest, callback: grpc.requestCallback<_identity_v1_CreatedKey__Output>): grpc.ClientUnaryCall;
  
  DeleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  DeleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  DeleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  DeleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteApiKey(argument: _identity_v1_DeleteApiKeyRequest, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  
  DeleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  DeleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  DeleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  DeleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  deleteRegistryKey(argument: _identity_v1_DeleteRegistryKeyRequest, callback: grpc.requestCallback<_identity_v1_Key__Output>): grpc.ClientUnaryCall;
  
  EndOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  EndOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  EndOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  EndOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endOwnSessions(argument: _identity_v1_EndOwnSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  
  GetMe(argument: _identity_v1_GetMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  GetMe(argument: _identity_v1_GetMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  GetMe(argument: _identity_v1_GetMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  GetMe(argument: _identity_v1_GetMeRequest, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  getMe(argument: _identity_v1_GetMeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  getMe(argument: _identity_v1_GetMeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  getMe(argument: _identity_v1_GetMeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  getMe(argument: _identity_v1_GetMeRequest, callback: grpc.requestCallback<_identity_v1_Me__Output>): grpc.ClientUnaryCall;
  
  IntroduceUser(argument: _identity_v1_IntroduceUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  IntroduceUser(argument: _identity_v1_IntroduceUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  IntroduceUser(argument: _identity_v1_IntroduceUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  IntroduceUser(argument: _identity_v1_IntroduceUserRequest, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  introduceUser(argument: _identity_v1_IntroduceUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  introduceUser(argument: _identity_v1_IntroduceUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  introduceUser(argument: _identity_v1_IntroduceUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  introduceUser(argument: _identity_v1_IntroduceUserRequest, callback: grpc.requestCallback<_identity_v1_IntroduceUserResponse__Output>): grpc.ClientUnaryCall;
  
  ListApiKeys(argument: _identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _identity_v1_ListApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _identity_v1_ListApiKeysRequest, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _identity_v1_ListApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _identity_v1_ListApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _identity_v1_ListApiKeysRequest, callback: grpc.requestCallback<_identity_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  ListKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  ListKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  ListKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  listKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  listKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  listKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  listKeyDetails(argument: _identity_v1_ListKeyDetailsRequest, callback: grpc.requestCallback<_identity_v1_ListKeyDetailsResponse__Output>): grpc.ClientUnaryCall;
  
  ListOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listOwnSessions(argument: _identity_v1_ListOwnSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  
  ListRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  ListRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  ListRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  ListRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  listRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  listRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  listRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  listRegistryKeys(argument: _identity_v1_ListRegistryKeysRequest, callback: grpc.requestCallback<_identity_v1_ListRegistryKeysResponse__Output>): grpc.ClientUnaryCall;
  
  NameKey(argument: _identity_v1_NameKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  NameKey(argument: _identity_v1_NameKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  NameKey(argument: _identity_v1_NameKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  NameKey(argument: _identity_v1_NameKeyRequest, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  nameKey(argument: _identity_v1_NameKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  nameKey(argument: _identity_v1_NameKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  nameKey(argument: _identity_v1_NameKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  nameKey(argument: _identity_v1_NameKeyRequest, callback: grpc.requestCallback<_identity_v1_KeyDetail__Output>): grpc.ClientUnaryCall;
  
}

export interface IdentityServiceHandlers extends grpc.UntypedServiceImplementation {
  Authenticate: grpc.handleUnaryCall<_identity_v1_AuthenticateRequest__Output, _identity_v1_AuthenticateResponse>;
  
  CreateApiKey: grpc.handleUnaryCall<_identity_v1_CreateApiKeyRequest__Output, _identity_v1_CreatedKey>;
  
  CreateRegistryKey: grpc.handleUnaryCall<_identity_v1_CreateRegistryKeyRequest__Output, _identity_v1_CreatedKey>;
  
  DeleteApiKey: grpc.handleUnaryCall<_identity_v1_DeleteApiKeyRequest__Output, _identity_v1_Key>;
  
  DeleteRegistryKey: grpc.handleUnaryCall<_identity_v1_DeleteRegistryKeyRequest__Output, _identity_v1_Key>;
  
  EndOwnSessions: grpc.handleUnaryCall<_identity_v1_EndOwnSessionsRequest__Output, _identity_v1_SessionList>;
  
  GetMe: grpc.handleUnaryCall<_identity_v1_GetMeRequest__Output, _identity_v1_Me>;
  
  IntroduceUser: grpc.handleUnaryCall<_identity_v1_IntroduceUserRequest__Output, _identity_v1_IntroduceUserResponse>;
  
  ListApiKeys: grpc.handleUnaryCall<_identity_v1_ListApiKeysRequest__Output, _identity_v1_ListApiKeysResponse>;
  
  ListKeyDetails: grpc.handleUnaryCall<_identity_v1_ListKeyDetailsRequest__Output, _identity_v1_ListKeyDetailsResponse>;
  
  ListOwnSessions: grpc.handleUnaryCall<_identity_v1_ListOwnSessionsRequest__Output, _identity_v1_SessionList>;
  
  ListRegistryKeys: grpc.handleUnaryCall<_identity_v1_ListRegistryKeysRequest__Output, _identity_v1_ListRegistryKeysResponse>;
  
  NameKey: grpc.handleUnaryCall<_identity_v1_NameKeyRequest__Output, _identity_v1_KeyDetail>;
  
}

export interface IdentityServiceDefinition extends grpc.ServiceDefinition {
  Authenticate: MethodDefinition<_identity_v1_AuthenticateRequest, _identity_v1_AuthenticateResponse, _identity_v1_AuthenticateRequest__Output, _identity_v1_AuthenticateResponse__Output>
  CreateApiKey: MethodDefinition<_identity_v1_CreateApiKeyRequest, _identity_v1_CreatedKey, _identity_v1_CreateApiKeyRequest__Output, _identity_v1_CreatedKey__Output>
  CreateRegistryKey: MethodDefinition<_identity_v1_CreateRegistryKeyRequest, _identity_v1_CreatedKey, _identity_v1_CreateRegistryKeyRequest__Output, _identity_v1_CreatedKey__Output>
  DeleteApiKey: MethodDefinition<_identity_v1_DeleteApiKeyRequest, _identity_v1_Key, _identity_v1_DeleteApiKeyRequest__Output, _identity_v1_Key__Output>
  DeleteRegistryKey: MethodDefinition<_identity_v1_DeleteRegistryKeyRequest, _identity_v1_Key, _identity_v1_DeleteRegistryKeyRequest__Output, _identity_v1_Key__Output>
  EndOwnSessions: MethodDefinition<_identity_v1_EndOwnSessionsRequest, _identity_v1_SessionList, _identity_v1_EndOwnSessionsRequest__Output, _identity_v1_SessionList__Output>
  GetMe: MethodDefinition<_identity_v1_GetMeRequest, _identity_v1_Me, _identity_v1_GetMeRequest__Output, _identity_v1_Me__Output>
  IntroduceUser: MethodDefinition<_identity_v1_IntroduceUserRequest, _identity_v1_IntroduceUserResponse, _identity_v1_IntroduceUserRequest__Output, _identity_v1_IntroduceUserResponse__Output>
  ListApiKeys: MethodDefinition<_identity_v1_ListApiKeysRequest, _identity_v1_ListApiKeysResponse, _identity_v1_ListApiKeysRequest__Output, _identity_v1_ListApiKeysResponse__Output>
  ListKeyDetails: MethodDefinition<_identity_v1_ListKeyDetailsRequest, _identity_v1_ListKeyDetailsResponse, _identity_v1_ListKeyDetailsRequest__Output, _identity_v1_ListKeyDetailsResponse__Output>
  ListOwnSessions: MethodDefinition<_identity_v1_ListOwnSessionsRequest, _identity_v1_SessionList, _identity_v1_ListOwnSessionsRequest__Output, _identity_v1_SessionList__Output>
  ListRegistryKeys: MethodDefinition<_identity_v1_ListRegistryKeysRequest, _identity_v1_ListRegistryKeysResponse, _identity_v1_ListRegistryKeysRequest__Output, _identity_v1_ListRegistryKeysResponse__Output>
  NameKey: MethodDefinition<_identity_v1_NameKeyRequest, _identity_v1_KeyDetail, _identity_v1_NameKeyRequest__Output, _identity_v1_KeyDetail__Output>
}
