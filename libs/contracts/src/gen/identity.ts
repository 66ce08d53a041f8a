import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AuthenticateRequest as _identity_v1_AuthenticateRequest, AuthenticateRequest__Output as _identity_v1_AuthenticateRequest__Output } from './identity/v1/AuthenticateRequest.ts';
import type { AuthenticateResponse as _identity_v1_AuthenticateResponse, AuthenticateResponse__Output as _identity_v1_AuthenticateResponse__Output } from './identity/v1/AuthenticateResponse.ts';
import type { BasicCredential as _identity_v1_BasicCredential, BasicCredential__Output as _identity_v1_BasicCredential__Output } from './identity/v1/BasicCredential.ts';
import type { CreateApiKeyRequest as _identity_v1_CreateApiKeyRequest, CreateApiKeyRequest__Output as _identity_v1_CreateApiKeyRequest__Output } from './identity/v1/CreateApiKeyRequest.ts';
import type { CreateRegistryKeyRequest as _identity_v1_CreateRegistryKeyRequest, CreateRegistryKeyRequest__Output as _identity_v1_CreateRegistryKeyRequest__Output } from './identity/v1/CreateRegistryKeyRequest.ts';
import type { CreatedKey as _identity_v1_CreatedKey, CreatedKey__Output as _identity_v1_CreatedKey__Output } from './identity/v1/CreatedKey.ts';
import type { DeleteKeyRequest as _identity_v1_DeleteKeyRequest, DeleteKeyRequest__Output as _identity_v1_DeleteKeyRequest__Output } from './identity/v1/DeleteKeyRequest.ts';
import type { EnsureUserRequest as _identity_v1_EnsureUserRequest, EnsureUserRequest__Output as _identity_v1_EnsureUserRequest__Output } from './identity/v1/EnsureUserRequest.ts';
import type { GetUserRequest as _identity_v1_GetUserRequest, GetUserRequest__Output as _identity_v1_GetUserRequest__Output } from './identity/v1/GetUserRequest.ts';
import type { IdentityClient as _identity_v1_IdentityClient, IdentityDefinition as _identity_v1_IdentityDefinition } from './identity/v1/Identity.ts';
import type { IssueApiKeyRequest as _identity_v1_IssueApiKeyRequest, IssueApiKeyRequest__Output as _identity_v1_IssueApiKeyRequest__Output } from './identity/v1/IssueApiKeyRequest.ts';
import type { IssueRegistryKeyRequest as _identity_v1_IssueRegistryKeyRequest, IssueRegistryKeyRequest__Output as _identity_v1_IssueRegistryKeyRequest__Output } from './identity/v1/IssueRegistryKeyRequest.ts';
import type { Key as _identity_v1_Key, Key__Output as _identity_v1_Key__Output } from './identity/v1/Key.ts';
import type { ListApiKeysRequest as _identity_v1_ListApiKeysRequest, ListApiKeysRequest__Output as _identity_v1_ListApiKeysRequest__Output } from './identity/v1/ListApiKeysRequest.ts';
import type { ListApiKeysResponse as _identity_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _identity_v1_ListApiKeysResponse__Output } from './identity/v1/ListApiKeysResponse.ts';
import type { ListRegistryKeysRequest as _identity_v1_ListRegistryKeysRequest, ListRegistryKeysRequest__Output as _identity_v1_ListRegistryKeysRequest__Output } from './identity/v1/ListRegistryKeysRequest.ts';
import type { ListRegistryKeysResponse as _identity_v1_ListRegistryKeysResponse, ListRegistryKeysResponse__Output as _identity_v1_ListRegistryKeysResponse__Output } from './identity/v1/ListRegistryKeysResponse.ts';
import type { SetAccountHolderRequest as _identity_v1_SetAccountHolderRequest, SetAccountHolderRequest__Output as _identity_v1_SetAccountHolderRequest__Output } from './identity/v1/SetAccountHolderRequest.ts';
import type { User as _identity_v1_User, User__Output as _identity_v1_User__Output } from './identity/v1/User.ts';
import type { UserDirectoryClient as _identity_v1_UserDirectoryClient, UserDirectoryDefinition as _identity_v1_UserDirectoryDefinition } from './identity/v1/UserDirectory.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  identity: {
    v1: {
      AuthenticateRequest: MessageTypeDefinition<_identity_v1_AuthenticateRequest, _identity_v1_AuthenticateRequest__Output>
      AuthenticateResponse: MessageTypeDefinition<_identity_v1_AuthenticateResponse, _identity_v1_AuthenticateResponse__Output>
      BasicCredential: MessageTypeDefinition<_identity_v1_BasicCredential, _identity_v1_BasicCredential__Output>
      CreateApiKeyRequest: MessageTypeDefinition<_identity_v1_CreateApiKeyRequest, _identity_v1_CreateApiKeyRequest__Output>
      CreateRegistryKeyRequest: MessageTypeDefinition<_identity_v1_CreateRegistryKeyRequest, _identity_v1_CreateRegistryKeyRequest__Output>
      CreatedKey: MessageTypeDefinition<_identity_v1_CreatedKey, _identity_v1_CreatedKey__Output>
      DeleteKeyRequest: MessageTypeDefinition<_identity_v1_DeleteKeyRequest, _identity_v1_DeleteKeyRequest__Output>
      EnsureUserRequest: MessageTypeDefinition<_identity_v1_EnsureUserRequest, _identity_v1_EnsureUserRequest__Output>
      GetUserRequest: MessageTypeDefinition<_identity_v1_GetUserRequest, _identity_v1_GetUserRequest__Output>
      Identity: SubtypeConstructor<typeof grpc.Client, _identity_v1_IdentityClient> & { service: _identity_v1_IdentityDefinition }
      IssueApiKeyRequest: MessageTypeDefinition<_identity_v1_IssueApiKeyRequest, _identity_v1_IssueApiKeyRequest__Output>
      IssueRegistryKeyRequest: MessageTypeDefinition<_identity_v1_IssueRegistryKeyRequest, _identity_v1_IssueRegistryKeyRequest__Output>
      Key: MessageTypeDefinition<_identity_v1_Key, _identity_v1_Key__Output>
      ListApiKeysRequest: MessageTypeDefinition<_identity_v1_ListApiKeysRequest, _identity_v1_ListApiKeysRequest__Output>
      ListApiKeysResponse: MessageTypeDefinition<_identity_v1_ListApiKeysResponse, _identity_v1_ListApiKeysResponse__Output>
      ListRegistryKeysRequest: MessageTypeDefinition<_identity_v1_ListRegistryKeysRequest, _identity_v1_ListRegistryKeysRequest__Output>
      ListRegistryKeysResponse: MessageTypeDefinition<_identity_v1_ListRegistryKeysResponse, _identity_v1_ListRegistryKeysResponse__Output>
      SetAccountHolderRequest: MessageTypeDefinition<_identity_v1_SetAccountHolderRequest, _identity_v1_SetAccountHolderRequest__Output>
      Surface: EnumTypeDefinition
      User: MessageTypeDefinition<_identity_v1_User, _identity_v1_User__Output>
      UserDirectory: SubtypeConstructor<typeof grpc.Client, _identity_v1_UserDirectoryClient> & { service: _identity_v1_UserDirectoryDefinition }
    }
  }
}

