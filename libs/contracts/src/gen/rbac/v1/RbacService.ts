// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BindUserRequest as _rbac_v1_BindUserRequest, BindUserRequest__Output as _rbac_v1_BindUserRequest__Output } from '../../rbac/v1/BindUserRequest.ts';
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { ChannelUser as _rbac_v1_ChannelUser, ChannelUser__Output as _rbac_v1_ChannelUser__Output } from '../../rbac/v1/ChannelUser.ts';
import type { GetOwnBindingRequest as _rbac_v1_GetOwnBindingRequest, GetOwnBindingRequest__Output as _rbac_v1_GetOwnBindingRequest__Output } from '../../rbac/v1/GetOwnBindingRequest.ts';
import type { GetUserBindingRequest as _rbac_v1_GetUserBindingRequest, GetUserBindingRequest__Output as _rbac_v1_GetUserBindingRequest__Output } from '../../rbac/v1/GetUserBindingRequest.ts';
import type { GrantRoleRequest as _rbac_v1_GrantRoleRequest, GrantRoleRequest__Output as _rbac_v1_GrantRoleRequest__Output } from '../../rbac/v1/GrantRoleRequest.ts';
import type { ListUsersRequest as _rbac_v1_ListUsersRequest, ListUsersRequest__Output as _rbac_v1_ListUsersRequest__Output } from '../../rbac/v1/ListUsersRequest.ts';
import type { PageOpenSalesChannelsRequest as _rbac_v1_PageOpenSalesChannelsRequest, PageOpenSalesChannelsRequest__Output as _rbac_v1_PageOpenSalesChannelsRequest__Output } from '../../rbac/v1/PageOpenSalesChannelsRequest.ts';
import type { PageOpenSalesChannelsResponse as _rbac_v1_PageOpenSalesChannelsResponse, PageOpenSalesChannelsResponse__Output as _rbac_v1_PageOpenSalesChannelsResponse__Output } from '../../rbac/v1/PageOpenSalesChannelsResponse.ts';
import type { RemoveRoleRequest as _rbac_v1_RemoveRoleRequest, RemoveRoleRequest__Output as _rbac_v1_RemoveRoleRequest__Output } from '../../rbac/v1/RemoveRoleRequest.ts';
import type { RoleGrant as _rbac_v1_RoleGrant, RoleGrant__Output as _rbac_v1_RoleGrant__Output } from '../../rbac/v1/RoleGrant.ts';
import type { UnbindUserRequest as _rbac_v1_UnbindUserRequest, UnbindUserRequest__Output as _rbac_v1_UnbindUserRequest__Output } from '../../rbac/v1/UnbindUserRequest.ts';

export interface RbacServiceClient extends grpc.Client {
  BindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindUserRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  GetOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  GetOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  GetOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  GetOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getOwnBinding(argument: _rbac_v1_GetOwnBindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  GetUserBinding(argument: _rbac_v1_GetUserBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  GetUserBinding(argument: _rbac_v1_GetUserBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  GetUserBinding(argument: _rbac_v1_GetUserBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  GetUserBinding(argument: _rbac_v1_GetUserBindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getUserBinding(argument: _rbac_v1_GetUserBindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getUserBinding(argument: _rbac_v1_GetUserBindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getUserBinding(argument: _rbac_v1_GetUserBindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  getUserBinding(argument: _rbac_v1_GetUserBindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  GrantRole(argument: _rbac_v1_GrantRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  GrantRole(argument: _rbac_v1_GrantRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  GrantRole(argument: _rbac_v1_GrantRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  GrantRole(argument: _rbac_v1_GrantRoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_GrantRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_GrantRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_GrantRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_GrantRoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  
  ListUsers(argument: _rbac_v1_ListUsersRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_rbac_v1_ChannelUser__Output>;
  ListUsers(argument: _rbac_v1_ListUsersRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_rbac_v1_ChannelUser__Output>;
  listUsers(argument: _rbac_v1_ListUsersRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_rbac_v1_ChannelUser__Output>;
  listUsers(argument: _rbac_v1_ListUsersRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_rbac_v1_ChannelUser__Output>;
  
  PageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  PageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  PageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  PageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  pageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  pageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  pageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  pageOpenSalesChannels(argument: _rbac_v1_PageOpenSalesChannelsRequest, callback: grpc.requestCallback<_rbac_v1_PageOpenSalesChannelsResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveRole(argument: _rbac_v1_RemoveRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  RemoveRole(argument: _rbac_v1_RemoveRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  RemoveRole(argument: _rbac_v1_RemoveRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  RemoveRole(argument: _rbac_v1_RemoveRoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RemoveRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RemoveRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RemoveRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RemoveRoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleGrant__Output>): grpc.ClientUnaryCall;
  
  UnbindUser(argument: _rbac_v1_UnbindUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  UnbindUser(argument: _rbac_v1_UnbindUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  UnbindUser(argument: _rbac_v1_UnbindUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  UnbindUser(argument: _rbac_v1_UnbindUserRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_UnbindUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_UnbindUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_UnbindUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_UnbindUserRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
}

export interface RbacServiceHandlers extends grpc.UntypedServiceImplementation {
  BindUser: grpc.handleUnaryCall<_rbac_v1_BindUserRequest__Output, _rbac_v1_Binding>;
  
  GetOwnBinding: grpc.handleUnaryCall<_rbac_v1_GetOwnBindingRequest__Output, _rbac_v1_Binding>;
  
  GetUserBinding: grpc.handleUnaryCall<_rbac_v1_GetUserBindingRequest__Output, _rbac_v1_Binding>;
  
  GrantRole: grpc.handleUnaryCall<_rbac_v1_GrantRoleRequest__Output, _rbac_v1_RoleGrant>;
  
  ListUsers: grpc.handleServerStreamingCall<_rbac_v1_ListUsersRequest__Output, _rbac_v1_ChannelUser>;
  
  PageOpenSalesChannels: grpc.handleUnaryCall<_rbac_v1_PageOpenSalesChannelsRequest__Output, _rbac_v1_PageOpenSalesChannelsResponse>;
  
  RemoveRole: grpc.handleUnaryCall<_rbac_v1_RemoveRoleRequest__Output, _rbac_v1_RoleGrant>;
  
  UnbindUser: grpc.handleUnaryCall<_rbac_v1_UnbindUserRequest__Output, _rbac_v1_Binding>;
  
}

export interface RbacServiceDefinition extends grpc.ServiceDefinition {
  BindUser: MethodDefinition<_rbac_v1_BindUserRequest, _rbac_v1_Binding, _rbac_v1_BindUserRequest__Output, _rbac_v1_Binding__Output>
  GetOwnBinding: MethodDefinition<_rbac_v1_GetOwnBindingRequest, _rbac_v1_Binding, _rbac_v1_GetOwnBindingRequest__Output, _rbac_v1_Binding__Output>
  GetUserBinding: MethodDefinition<_rbac_v1_GetUserBindingRequest, _rbac_v1_Binding, _rbac_v1_GetUserBindingRequest__Output, _rbac_v1_Binding__Output>
  GrantRole: MethodDefinition<_rbac_v1_GrantRoleRequest, _rbac_v1_RoleGrant, _rbac_v1_GrantRoleRequest__Output, _rbac_v1_RoleGrant__Output>
  ListUsers: MethodDefinition<_rbac_v1_ListUsersRequest, _rbac_v1_ChannelUser, _rbac_v1_ListUsersRequest__Output, _rbac_v1_ChannelUser__Output>
  PageOpenSalesChannels: MethodDefinition<_rbac_v1_PageOpenSalesChannelsRequest, _rbac_v1_PageOpenSalesChannelsResponse, _rbac_v1_PageOpenSalesChannelsRequest__Output, _rbac_v1_PageOpenSalesChannelsResponse__Output>
  RemoveRole: MethodDefinition<_rbac_v1_RemoveRoleRequest, _rbac_v1_RoleGrant, _rbac_v1_RemoveRoleRequest__Output, _rbac_v1_RoleGrant__Output>
  UnbindUser: MethodDefinition<_rbac_v1_UnbindUserRequest, _rbac_v1_Binding, _rbac_v1_UnbindUserRequest__Output, _rbac_v1_Binding__Output>
}
