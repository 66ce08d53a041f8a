// Original file: protos/rbac/v1/rbac.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { BindingRequest as _rbac_v1_BindingRequest, BindingRequest__Output as _rbac_v1_BindingRequest__Output } from '../../rbac/v1/BindingRequest.ts';
import type { GetOwnBindingRequest as _rbac_v1_GetOwnBindingRequest, GetOwnBindingRequest__Output as _rbac_v1_GetOwnBindingRequest__Output } from '../../rbac/v1/GetOwnBindingRequest.ts';
import type { GetUserBindingRequest as _rbac_v1_GetUserBindingRequest, GetUserBindingRequest__Output as _rbac_v1_GetUserBindingRequest__Output } from '../../rbac/v1/GetUserBindingRequest.ts';
import type { RoleRequest as _rbac_v1_RoleRequest, RoleRequest__Output as _rbac_v1_RoleRequest__Output } from '../../rbac/v1/RoleRequest.ts';
import type { RoleResponse as _rbac_v1_RoleResponse, RoleResponse__Output as _rbac_v1_RoleResponse__Output } from '../../rbac/v1/RoleResponse.ts';

export interface RbacClient extends grpc.Client {
  BindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  BindUser(argument: _rbac_v1_BindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  bindUser(argument: _rbac_v1_BindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
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
  
  GrantRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  GrantRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  GrantRole(argument: _rbac_v1_RoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  GrantRole(argument: _rbac_v1_RoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_RoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  grantRole(argument: _rbac_v1_RoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  RemoveRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  RemoveRole(argument: _rbac_v1_RoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  RemoveRole(argument: _rbac_v1_RoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  removeRole(argument: _rbac_v1_RoleRequest, callback: grpc.requestCallback<_rbac_v1_RoleResponse__Output>): grpc.ClientUnaryCall;
  
  UnbindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  UnbindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  UnbindUser(argument: _rbac_v1_BindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  UnbindUser(argument: _rbac_v1_BindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_BindingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_BindingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  unbindUser(argument: _rbac_v1_BindingRequest, callback: grpc.requestCallback<_rbac_v1_Binding__Output>): grpc.ClientUnaryCall;
  
}

export interface RbacHandlers extends grpc.UntypedServiceImplementation {
  BindUser: grpc.handleUnaryCall<_rbac_v1_BindingRequest__Output, _rbac_v1_Binding>;
  
  GetOwnBinding: grpc.handleUnaryCall<_rbac_v1_GetOwnBindingRequest__Output, _rbac_v1_Binding>;
  
  GetUserBinding: grpc.handleUnaryCall<_rbac_v1_GetUserBindingRequest__Output, _rbac_v1_Binding>;
  
  GrantRole: grpc.handleUnaryCall<_rbac_v1_RoleRequest__Output, _rbac_v1_RoleResponse>;
  
  RemoveRole: grpc.handleUnaryCall<_rbac_v1_RoleRequest__Output, _rbac_v1_RoleResponse>;
  
  UnbindUser: grpc.handleUnaryCall<_rbac_v1_BindingRequest__Output, _rbac_v1_Binding>;
  
}

export interface RbacDefinition extends grpc.ServiceDefinition {
  BindUser: MethodDefinition<_rbac_v1_BindingRequest, _rbac_v1_Binding, _rbac_v1_BindingRequest__Output, _rbac_v1_Binding__Output>
  GetOwnBinding: MethodDefinition<_rbac_v1_GetOwnBindingRequest, _rbac_v1_Binding, _rbac_v1_GetOwnBindingRequest__Output, _rbac_v1_Binding__Output>
  GetUserBinding: MethodDefinition<_rbac_v1_GetUserBindingRequest, _rbac_v1_Binding, _rbac_v1_GetUserBindingRequest__Output, _rbac_v1_Binding__Output>
  GrantRole: MethodDefinition<_rbac_v1_RoleRequest, _rbac_v1_RoleResponse, _rbac_v1_RoleRequest__Output, _rbac_v1_RoleResponse__Output>
  RemoveRole: MethodDefinition<_rbac_v1_RoleRequest, _rbac_v1_RoleResponse, _rbac_v1_RoleRequest__Output, _rbac_v1_RoleResponse__Output>
  UnbindUser: MethodDefinition<_rbac_v1_BindingRequest, _rbac_v1_Binding, _rbac_v1_BindingRequest__Output, _rbac_v1_Binding__Output>
}
