// Original file: protos/identity/v1/identity.proto

import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';

export interface Me {
  'userId'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  'salesChannel'?: (_rbac_v1_SalesChannel | null);
  'roles'?: (string)[];
  'accountHolder'?: (_registry_import_v1_AccountHolder | null);
  'email'?: (string);
  'name'?: (string);
  '_email'?: "email";
  '_name'?: "name";
}

export interface Me__Output {
  'userId': (string);
  'issuer': (string);
  'subject': (string);
  'salesChannel': (_rbac_v1_SalesChannel__Output | null);
  'roles': (string)[];
  'accountHolder': (_registry_import_v1_AccountHolder__Output | null);
  'email'?: (string);
  'name'?: (string);
  '_email'?: "email";
  '_name'?: "name";
}
