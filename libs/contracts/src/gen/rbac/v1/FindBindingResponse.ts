// Original file: protos/rbac/v1/rbac.proto

import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';
import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';

export interface FindBindingResponse {
  'binding'?: (_rbac_v1_Binding | null);
  'salesChannel'?: (_rbac_v1_SalesChannel | null);
}

export interface FindBindingResponse__Output {
  'binding': (_rbac_v1_Binding__Output | null);
  'salesChannel': (_rbac_v1_SalesChannel__Output | null);
}
