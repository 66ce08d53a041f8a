// Original file: protos/registry_import/v1/registry_import.proto

import type { PostalAddress as _registry_import_v1_PostalAddress, PostalAddress__Output as _registry_import_v1_PostalAddress__Output } from '../../registry_import/v1/PostalAddress.ts';

export interface AccountHolderContent {
  'name'?: (string);
  'businessId'?: (string);
  'address'?: (_registry_import_v1_PostalAddress | null);
  'autoApproval'?: (boolean);
  '_autoApproval'?: "autoApproval";
}

export interface AccountHolderContent__Output {
  'name': (string);
  'businessId': (string);
  'address': (_registry_import_v1_PostalAddress__Output | null);
  'autoApproval'?: (boolean);
  '_autoApproval'?: "autoApproval";
}
