// Original file: protos/identity/v1/identity.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DisableUserRequest as _identity_v1_DisableUserRequest, DisableUserRequest__Output as _identity_v1_DisableUserRequest__Output } from '../../identity/v1/DisableUserRequest.ts';
import type { EnableUserRequest as _identity_v1_EnableUserRequest, EnableUserRequest__Output as _identity_v1_EnableUserRequest__Output } from '../../identity/v1/EnableUserRequest.ts';
import type { EndUserSessionsRequest as _identity_v1_EndUserSessionsRequest, EndUserSessionsRequest__Output as _identity_v1_EndUserSessionsRequest__Output } from '../../identity/v1/EndUserSessionsRequest.ts';
import type { ListKeysRequest as _identity_v1_ListKeysRequest, ListKeysRequest__Output as _identity_v1_ListKeysRequest__Output } from '../../identity/v1/ListKeysRequest.ts';
import type { ListKeysResponse as _identity_v1_ListKeysResponse, ListKeysResponse__Output as _identity_v1_ListKeysResponse__Output } from '../../identity/v1/ListKeysResponse.ts';
import type { ListUserSessionsRequest as _identity_v1_ListUserSessionsRequest, ListUserSessionsRequest__Output as _identity_v1_ListUserSessionsRequest__Output } from '../../identity/v1/ListUserSessionsRequest.ts';
import type { ListUsersRequest as _identity_v1_ListUsersRequest, ListUsersRequest__Output as _identity_v1_ListUsersRequest__Output } from '../../identity/v1/ListUsersRequest.ts';
import type { ListUsersResponse as _identity_v1_ListUsersResponse, ListUsersResponse__Output as _identity_v1_ListUsersResponse__Output } from '../../identity/v1/ListUsersResponse.ts';
import type { RevokeKeyRequest as _identity_v1_RevokeKeyRequest, RevokeKeyRequest__Output as _identity_v1_RevokeKeyRequest__Output } from '../../identity/v1/RevokeKeyRequest.ts';
import type { RevokeUserKeysRequest as _identity_v1_RevokeUserKeysRequest, RevokeUserKeysRequest__Output as _identity_v1_RevokeUserKeysRequest__Output } from '../../identity/v1/RevokeUserKeysRequest.ts';
import type { RevokedKeys as _identity_v1_RevokedKeys, RevokedKeys__Output as _identity_v1_RevokedKeys__Output } from '../../identity/v1/RevokedKeys.ts';
import type { SessionList as _identity_v1_SessionList, SessionList__Output as _identity_v1_SessionList__Output } from '../../identity/v1/SessionList.ts';
import type { User as _identity_v1_User, User__Output as _identity_v1_User__Output } from '../../identity/v1/User.ts';

export interface IdentityAdministrationServiceClient extends grpc.Client {
  DisableUser(argument: _identity_v1_DisableUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  DisableUser(argument: _identity_v1_DisableUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  DisableUser(argument: _identity_v1_DisableUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  DisableUser(argument: _identity_v1_DisableUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _identity_v1_DisableUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _identity_v1_DisableUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _identity_v1_DisableUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  disableUser(argument: _identity_v1_DisableUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  
  EnableUser(argument: _identity_v1_EnableUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  EnableUser(argument: _identity_v1_EnableUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  EnableUser(argument: _identity_v1_EnableUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  EnableUser(argument: _identity_v1_EnableUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _identity_v1_EnableUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _identity_v1_EnableUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _identity_v1_EnableUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  enableUser(argument: _identity_v1_EnableUserRequest, callback: grpc.requestCallback<_identity_v1_User__Output>): grpc.ClientUnaryCall;
  
  EndUserSessions(argument: _identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  EndUserSessions(argument: _identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  EndUserSessions(argument: _identity_v1_EndUserSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  EndUserSessions(argument: _identity_v1_EndUserSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _identity_v1_EndUserSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _identity_v1_EndUserSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  endUserSessions(argument: _identity_v1_EndUserSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _identity_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _identity_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _identity_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _identity_v1_ListKeysRequest, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _identity_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _identity_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _identity_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _identity_v1_ListKeysRequest, callback: grpc.requestCallback<_identity_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListUserSessions(argument: _identity_v1_ListUserSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListUserSessions(argument: _identity_v1_ListUserSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListUserSessions(argument: _identity_v1_ListUserSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  ListUserSessions(argument: _identity_v1_ListUserSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listUserSessions(argument: _identity_v1_ListUserSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listUserSessions(argument: _identity_v1_ListUserSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listUserSessions(argument: _identity_v1_ListUserSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  listUserSessions(argument: _identity_v1_ListUserSessionsRequest, callback: grpc.requestCallback<_identity_v1_SessionList__Output>): grpc.ClientUnaryCall;
  
  ListUsers(argument: _identity_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _identity_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _identity_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  ListUsers(argument: _identity_v1_ListUsersRequest, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _identity_v1_ListUsersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _identity_v1_ListUsersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _identity_v1_ListUsersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  listUsers(argument: _identity_v1_ListUsersRequest, callback: grpc.requestCallback<_identity_v1_ListUsersResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _identity_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _identity_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _identity_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _identity_v1_RevokeKeyRequest, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _identity_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _identity_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _identity_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _identity_v1_RevokeKeyRequest, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  
  RevokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  RevokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  RevokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  RevokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  revokeUserKeys(argument: _identity_v1_RevokeUserKeysRequest, callback: grpc.requestCallback<_identity_v1_RevokedKeys__Output>): grpc.ClientUnaryCall;
  
}

export interface IdentityAdministrationServiceHandlers extends grpc.UntypedServiceImplementation {
  DisableUser: grpc.handleUnaryCall<_identity_v1_DisableUserRequest__Output, _identity_v1_User>;
  
  EnableUser: grpc.handleUnaryCall<_identity_v1_EnableUserRequest__Output, _identity_v1_User>;
  
  EndUserSessions: grpc.handleUnaryCall<_identity_v1_EndUserSessionsRequest__Output, _identity_v1_SessionList>;
  
  ListKeys: grpc.handleUnaryCall<_identity_v1_ListKeysRequest__Output, _identity_v1_ListKeysResponse>;
  
  ListUserSessions: grpc.handleUnaryCall<_identity_v1_ListUserSessionsRequest__Output, _identity_v1_SessionList>;
  
  ListUsers: grpc.handleUnaryCall<_identity_v1_ListUsersRequest__Output, _identity_v1_ListUsersResponse>;
  
  RevokeKey: grpc.handleUnaryCall<_identity_v1_RevokeKeyRequest__Output, _identity_v1_RevokedKeys>;
  
  RevokeUserKeys: grpc.handleUnaryCall<_identity_v1_RevokeUserKeysRequest__Output, _identity_v1_RevokedKeys>;
  
}

export interface IdentityAdministrationServiceDefinition extends grpc.ServiceDefinition {
  DisableUser: MethodDefinition<_identity_v1_DisableUserRequest, _identity_v1_User, _identity_v1_DisableUserRequest__Output, _identity_v1_User__Output>
  EnableUser: MethodDefinition<_identity_v1_EnableUserRequest, _identity_v1_User, _identity_v1_EnableUserRequest__Output, _identity_v1_User__Output>
  EndUserSessions: MethodDefinition<_identity_v1_EndUserSessionsRequest, _identity_v1_SessionList, _identity_v1_EndUserSessionsRequest__Output, _identity_v1_SessionList__Output>
  ListKeys: MethodDefinition<_identity_v1_ListKeysRequest, _identity_v1_ListKeysResponse, _identity_v1_ListKeysRequest__Output, _identity_v1_ListKeysResponse__Output>
  ListUserSessions: MethodDefinition<_identity_v1_ListUserSessionsRequest, _identity_v1_SessionList, _identity_v1_ListUserSessionsRequest__Output, _identity_v1_SessionList__Output>
  ListUsers: MethodDefinition<_identity_v1_ListUsersRequest, _identity_v1_ListUsersResponse, _identity_v1_ListUsersRequest__Output, _identity_v1_ListUsersResponse__Output>
  RevokeKey: MethodDefinition<_identity_v1_RevokeKeyRequest, _identity_v1_RevokedKeys, _identity_v1_RevokeKeyRequest__Output, _identity_v1_RevokedKeys__Output>
  RevokeUserKeys: MethodDefinition<_identity_v1_RevokeUserKeysRequest, _identity_v1_RevokedKeys, _identity_v1_RevokeUserKeysRequest__Output, _identity_v1_RevokedKeys__Output>
}
