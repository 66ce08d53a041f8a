// Original file: protos/rbac/v1/rbac.proto

import type { Binding as _rbac_v1_Binding, Binding__Output as _rbac_v1_Binding__Output } from '../../rbac/v1/Binding.ts';

export interface EndBindingResponse {
  'binding'?: (_rbac_v1_Binding | null);
  'wasLastAdministrator'?: (boolean);
}

export interface EndBindingResponse__Output {
  'binding': (_rbac_v1_Binding__Output | null);
  'wasLastAdministrator': (boolean);
}
