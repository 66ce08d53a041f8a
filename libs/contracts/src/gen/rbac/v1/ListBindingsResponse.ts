// Original file: protos/rbac/v1/rbac.proto

import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';

export interface ListBindingsResponse {
  'bindings'?: (_rbac_v1_Binding)[];
}

export interface ListBindingsResponse__Output {
  'bindings': (_rbac_v1_Binding__Output)[];
}
