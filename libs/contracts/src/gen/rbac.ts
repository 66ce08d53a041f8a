import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AssignRolesRequest as _rbac_v1_AssignRolesRequest, AssignRolesRequest__Output as _rbac_v1_AssignRolesRequest__Output } from './rbac/v1/AssignRolesRequest.ts';
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from './rbac/v1/Binding.ts';
import type { BindingDirectoryClient as _rbac_v1_BindingDirectoryClient, BindingDirectoryDefinition as _rbac_v1_BindingDirectoryDefinition } from './rbac/v1/BindingDirectory.ts';
import type { BindingRequest as _rbac_v1_BindingRequest, BindingRequest__Output as _rbac_v1_BindingRequest__Output } from './rbac/v1/BindingRequest.ts';
import type { CreateSalesChannelRequest as _rbac_v1_CreateSalesChannelRequest, CreateSalesChannelRequest__Output as _rbac_v1_CreateSalesChannelRequest__Output } from './rbac/v1/CreateSalesChannelRequest.ts';
import type { GetOwnBindingRequest as _rbac_v1_GetOwnBindingRequest, GetOwnBindingRequest__Output as _rbac_v1_GetOwnBindingRequest__Output } from './rbac/v1/GetOwnBindingRequest.ts';
import type { GetSalesChannelRequest as _rbac_v1_GetSalesChannelRequest, GetSalesChannelRequest__Output as _rbac_v1_GetSalesChannelRequest__Output } from './rbac/v1/GetSalesChannelRequest.ts';
import type { GetUserBindingRequest as _rbac_v1_GetUserBindingRequest, GetUserBindingRequest__Output as _rbac_v1_GetUserBindingRequest__Output } from './rbac/v1/GetUserBindingRequest.ts';
import type { ListSalesChannelsRequest as _rbac_v1_ListSalesChannelsRequest, ListSalesChannelsRequest__Output as _rbac_v1_ListSalesChannelsRequest__Output } from './rbac/v1/ListSalesChannelsRequest.ts';
import type { ListSalesChannelsResponse as _rbac_v1_ListSalesChannelsResponse, ListSalesChannelsResponse__Output as _rbac_v1_ListSalesChannelsResponse__Output } from './rbac/v1/ListSalesChannelsResponse.ts';
import type { RbacClient as _rbac_v1_RbacClient, RbacDefinition as _rbac_v1_RbacDefinition } from './rbac/v1/Rbac.ts';
import type { RbacAdministrationClient as _rbac_v1_RbacAdministrationClient, RbacAdministrationDefinition as _rbac_v1_RbacAdministrationDefinition } from './rbac/v1/RbacAdministration.ts';
import type { ReadBindingRequest as _rbac_v1_ReadBindingRequest, ReadBindingRequest__Output as _rbac_v1_ReadBindingRequest__Output } from './rbac/v1/ReadBindingRequest.ts';
import type { RoleRequest as _rbac_v1_RoleRequest, RoleRequest__Output as _rbac_v1_RoleRequest__Output } from './rbac/v1/RoleRequest.ts';
import type { RoleResponse as _rbac_v1_RoleResponse, RoleResponse__Output as _rbac_v1_RoleResponse__Output } from './rbac/v1/RoleResponse.ts';
import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from './rbac/v1/SalesChannel.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  rbac: {
    v1: {
      AssignRolesRequest: MessageTypeDefinition<_rbac_v1_AssignRolesRequest, _rbac_v1_AssignRolesRequest__Output>
      Binding: MessageTypeDefinition<_rbac_v1_Binding, _rbac_v1_Binding__Output>
      BindingDirectory: SubtypeConstructor<typeof grpc.Client, _rbac_v1_BindingDirectoryClient> & { service: _rbac_v1_BindingDirectoryDefinition }
      BindingRequest: MessageTypeDefinition<_rbac_v1_BindingRequest, _rbac_v1_BindingRequest__Output>
      CreateSalesChannelRequest: MessageTypeDefinition<_rbac_v1_CreateSalesChannelRequest, _rbac_v1_CreateSalesChannelRequest__Output>
      GetOwnBindingRequest: MessageTypeDefinition<_rbac_v1_GetOwnBindingRequest, _rbac_v1_GetOwnBindingRequest__Output>
      GetSalesChannelRequest: MessageTypeDefinition<_rbac_v1_GetSalesChannelRequest, _rbac_v1_GetSalesChannelRequest__Output>
      GetUserBindingRequest: MessageTypeDefinition<_rbac_v1_GetUserBindingRequest, _rbac_v1_GetUserBindingRequest__Output>
      ListSalesChannelsRequest: MessageTypeDefinition<_rbac_v1_ListSalesChannelsRequest, _rbac_v1_ListSalesChannelsRequest__Output>
      ListSalesChannelsResponse: MessageTypeDefinition<_rbac_v1_ListSalesChannelsResponse, _rbac_v1_ListSalesChannelsResponse__Output>
      Rbac: SubtypeConstructor<typeof grpc.Client, _rbac_v1_RbacClient> & { service: _rbac_v1_RbacDefinition }
      RbacAdministration: SubtypeConstructor<typeof grpc.Client, _rbac_v1_RbacAdministrationClient> & { service: _rbac_v1_RbacAdministrationDefinition }
      ReadBindingRequest: MessageTypeDefinition<_rbac_v1_ReadBindingRequest, _rbac_v1_ReadBindingRequest__Output>
      RoleRequest: MessageTypeDefinition<_rbac_v1_RoleRequest, _rbac_v1_RoleRequest__Output>
      RoleResponse: MessageTypeDefinition<_rbac_v1_RoleResponse, _rbac_v1_RoleResponse__Output>
      SalesChannel: MessageTypeDefinition<_rbac_v1_SalesChannel, _rbac_v1_SalesChannel__Output>
    }
  }
}

