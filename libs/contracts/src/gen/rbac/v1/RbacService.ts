// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AcceptInvitationRequest as _rbac_v1_AcceptInvitationRequest, AcceptInvitationRequest__Output as _rbac_v1_AcceptInvitationRequest__Output } from '../../rbac/v1/AcceptInvitationRequest.ts';
import type { BindUserRequest as _rbac_v1_BindUserRequest, BindUserRequest__Output as _rbac_v1_BindUserRequest__Output } from '../../rbac/v1/BindUserRequest.ts';
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { ChannelUser as _rbac_v1_ChannelUser, ChannelUser__Output as _rbac_v1_ChannelUser__Output } from '../../rbac/v1/ChannelUser.ts';
import type { CreateInvitationRequest as _rbac_v1_CreateInvitationRequest, CreateInvitationRequest__Output as _rbac_v1_CreateInvitationRequest__Output } from '../../rbac/v1/CreateInvitationRequest.ts';
import type { CreatedInvitation as _rbac_v1_CreatedInvitation, CreatedInvitation__Output as _rbac_v1_CreatedInvitation__Output } from '../../rbac/v1/CreatedInvitation.ts';
import type { GetOwnBindingRequest as _rbac_v1_GetOwnBindingRequest, GetOwnBindingRequest__Output as _rbac_v1_GetOwnBindingRequest__Output } from '../../rbac/v1/GetOwnBindingRequest.ts';
import type { GetUserBindingRequest as _rbac_v1_GetUserBindingRequest, GetUserBindingRequest__Output as _rbac_v1_GetUserBindingRequest__Output } from '../../rbac/v1/GetUserBindingRequest.ts';
import type { GrantRoleRequest as _rbac_v1_GrantRoleRequest, GrantRoleRequest__Output as _rbac_v1_GrantRoleRequest__Output } from '../../rbac/v1/GrantRoleRequest.ts';
import type { Invitation as _rbac_v1_Invitation, Invitation__Output as _rbac_v1_Invitation__Output } from '../../rbac/v1/Invitation.ts';
import type { ListInvitationsRequest as _rbac_v1_ListInvitationsRequest, ListInvitationsRequest__Output as _rbac_v1_ListInvitationsRequest__Output } from '../../rbac/v1/ListInvitationsRequest.ts';
import type { ListInvitationsResponse as _rbac_v1_ListInvitationsResponse, ListInvitationsResponse__Output as _rbac_v1_ListInvitationsResponse__Output } from '../../rbac/v1/ListInvitationsResponse.ts';
import type { ListUsersRequest as _rbac_v1_ListUsersRequest, ListUsersRequest__Output as _rbac_v1_ListUsersRequest__Output } from '../../rbac/v1/ListUsersRequest.ts';
import type { PageOpenSalesChannelsRequest as _rbac_v1_PageOpenSalesChannelsRequest, PageOpenSalesChannelsRequest__Output as _rbac_v1_PageOpenSalesChannelsRequest__Output } from '../../rbac/v1/PageOpenSalesChannelsRequest.ts';
import type { PageOpenSalesChannelsResponse as _rbac_v1_PageOpenSalesChannelsResponse, PageOpenSalesChannelsResponse__Output as _rbac_v1_PageOpenSalesChannelsResponse__Output } from '../../rbac/v1/PageOpenSalesChannelsResponse.ts';
import type { RemoveRoleRequest as _rbac_v1_RemoveRoleRequest, RemoveRoleRequest__Output as _rbac_v1_RemoveRoleRequest__Output } from '../../rbac/v1/RemoveRoleRequest.ts';
import type { ReplaceSalesChannelRequest as _rbac_v1_ReplaceSalesChannelRequest, ReplaceSalesChannelRequest__Output as _rbac_v1_ReplaceSalesChannelRequest__Output } from '../../rbac/v1/ReplaceSalesChannelRequest.ts';
import type { ReplaceSalesChannelResponse as _rbac_v1_ReplaceSalesChannelResponse, ReplaceSalesChannelResponse__Output as _rbac_v1_ReplaceSalesChannelResponse__Output } from '../../rbac/v1/ReplaceSalesChannelResponse.ts';
import type { RevokeInvitationRequest as _rbac_v1_RevokeInvitationRequest, RevokeInvitationRequest__Output as _rbac_v1_RevokeInvitationRequest__Output } from '../../rbac/v1/RevokeInvitationRequest.ts';
import type { RoleGrant as _rbac_v1_RoleGrant, RoleGrant__Output as _rbac_v1_RoleGrant__Output } from '../../rbac/v1/RoleGrant.ts';
import type { UnbindUserRequest as _rbac_v1_UnbindUserRequest, UnbindUserRequest__Output as _rbac_v1_UnbindUserRequest__Output } from '../../rbac/v1/UnbindUserRequest.ts';

export interface RbacServiceClient extends grpc.Client {
  AcceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AcceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AcceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  AcceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  acceptInvitation(argument: _rbac_v1_AcceptInvitationRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  BindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindUserRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindUserRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
  CreateInvitation(argument: _rbac_v1_CreateInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  CreateInvitation(argument: _rbac_v1_CreateInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  CreateInvitation(argument: _rbac_v1_CreateInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  CreateInvitation(argument: _rbac_v1_CreateInvitationRequest, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  createInvitation(argument: _rbac_v1_CreateInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  createInvitation(argument: _rbac_v1_CreateInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  createInvitation(argument: _rbac_v1_CreateInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  createInvitation(argument: _rbac_v1_CreateInvitationRequest, callback: grpc.requestCallback<_rbac_v1_CreatedInvitation__Output>): grpc.ClientUnaryCall;
  
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
  
  ListInvitations(argument: _rbac_v1_ListInvitationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  ListInvitations(argument: _rbac_v1_ListInvitationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  ListInvitations(argument: _rbac_v1_ListInvitationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  ListInvitations(argument: _rbac_v1_ListInvitationsRequest, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _rbac_v1_ListInvitationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _rbac_v1_ListInvitationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _rbac_v1_ListInvitationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  listInvitations(argument: _rbac_v1_ListInvitationsRequest, callback: grpc.requestCallback<_rbac_v1_ListInvitationsResponse__Output>): grpc.ClientUnaryCall;
  
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
  
  ReplaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  ReplaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  ReplaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  ReplaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  replaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  replaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  replaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  replaceSalesChannel(argument: _rbac_v1_ReplaceSalesChannelRequest, callback: grpc.requestCallback<_rbac_v1_ReplaceSalesChannelResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  RevokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  RevokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  RevokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  revokeInvitation(argument: _rbac_v1_RevokeInvitationRequest, callback: grpc.requestCallback<_rbac_v1_Invitation__Output>): grpc.ClientUnaryCall;
  
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
  AcceptInvitation: grpc.handleUnaryCall<_rbac_v1_AcceptInvitationRequest__Output, _rbac_v1_Binding>;
  
  BindUser: grpc.handleUnaryCall<_rbac_v1_BindUserRequest__Output, _rbac_v1_Binding>;
  
  CreateInvitation: grpc.handleUnaryCall<_rbac_v1_CreateInvitationRequest__Output, _rbac_v1_CreatedInvitation>;
  
  GetOwnBinding: grpc.handleUnaryCall<_rbac_v1_GetOwnBindingRequest__Output, _rbac_v1_Binding>;
  
  GetUserBinding: grpc.handleUnaryCall<_rbac_v1_GetUserBindingRequest__Output, _rbac_v1_Binding>;
  
  GrantRole: grpc.handleUnaryCall<_rbac_v1_GrantRoleRequest__Output, _rbac_v1_RoleGrant>;
  
  ListInvitations: grpc.handleUnaryCall<_rbac_v1_ListInvitationsRequest__Output, _rbac_v1_ListInvitationsResponse>;
  
  ListUsers: grpc.handleServerStreamingCall<_rbac_v1_ListUsersRequest__Output, _rbac_v1_ChannelUser>;
  
  PageOpenSalesChannels: grpc.handleUnaryCall<_rbac_v1_PageOpenSalesChannelsRequest__Output, _rbac_v1_PageOpenSalesChannelsResponse>;
  
  RemoveRole: grpc.handleUnaryCall<_rbac_v1_RemoveRoleRequest__Output, _rbac_v1_RoleGrant>;
  
  ReplaceSalesChannel: grpc.handleUnaryCall<_rbac_v1_ReplaceSalesChannelRequest__Output, _rbac_v1_ReplaceSalesChannelResponse>;
  
  RevokeInvitation: grpc.handleUnaryCall<_rbac_v1_RevokeInvitationRequest__Output, _rbac_v1_Invitation>;
  
  UnbindUser: grpc.handleUnaryCall<_rbac_v1_UnbindUserRequest__Output, _rbac_v1_Binding>;
  
}

export interface RbacServiceDefinition extends grpc.ServiceDefinition {
  AcceptInvitation: MethodDefinition<_rbac_v1_AcceptInvitationRequest, _rbac_v1_Binding, _rbac_v1_AcceptInvitationRequest__Output, _rbac_v1_Binding__Output>
  BindUser: MethodDefinition<_rbac_v1_BindUserRequest, _rbac_v1_Binding, _rbac_v1_BindUserRequest__Output, _rbac_v1_Binding__Output>
  CreateInvitation: MethodDefinition<_rbac_v1_CreateInvitationRequest, _rbac_v1_CreatedInvitation, _rbac_v1_CreateInvitationRequest__Output, _rbac_v1_CreatedInvitation__Output>
  GetOwnBinding: MethodDefinition<_rbac_v1_GetOwnBindingRequest, _rbac_v1_Binding, _rbac_v1_GetOwnBindingRequest__Output, _rbac_v1_Binding__Output>
  GetUserBinding: MethodDefinition<_rbac_v1_GetUserBindingRequest, _rbac_v1_Binding, _rbac_v1_GetUserBindingRequest__Output, _rbac_v1_Binding__Output>
  GrantRole: MethodDefinition<_rbac_v1_GrantRoleRequest, _rbac_v1_RoleGrant, _rbac_v1_GrantRoleRequest__Output, _rbac_v1_RoleGrant__Output>
  ListInvitations: MethodDefinition<_rbac_v1_ListInvitationsRequest, _rbac_v1_ListInvitationsResponse, _rbac_v1_ListInvitationsRequest__Output, _rbac_v1_ListInvitationsResponse__Output>
  ListUsers: MethodDefinition<_rbac_v1_ListUsersRequest, _rbac_v1_ChannelUser, _rbac_v1_ListUsersRequest__Output, _rbac_v1_ChannelUser__Output>
  PageOpenSalesChannels: MethodDefinition<_rbac_v1_PageOpenSalesChannelsRequest, _rbac_v1_PageOpenSalesChannelsResponse, _rbac_v1_PageOpenSalesChannelsRequest__Output, _rbac_v1_PageOpenSalesChannelsResponse__Output>
  RemoveRole: MethodDefinition<_rbac_v1_RemoveRoleRequest, _rbac_v1_RoleGrant, _rbac_v1_RemoveRoleRequest__Output, _rbac_v1_RoleGrant__Output>
  ReplaceSalesChannel: MethodDefinition<_rbac_v1_ReplaceSalesChannelRequest, _rbac_v1_ReplaceSalesChannelResponse, _rbac_v1_ReplaceSalesChannelRequest__Output, _rbac_v1_ReplaceSalesChannelResponse__Output>
  RevokeInvitation: MethodDefinition<_rbac_v1_RevokeInvitationRequest, _rbac_v1_Invitation, _rbac_v1_RevokeInvitationRequest__Output, _rbac_v1_Invitation__Output>
  UnbindUser: MethodDefinition<_rbac_v1_UnbindUserRequest, _rbac_v1_Binding, _rbac_v1_UnbindUserRequest__Output, _rbac_v1_Binding__Output>
}
