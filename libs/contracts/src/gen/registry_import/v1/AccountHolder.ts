// Original file: protos/registry_import/v1/registry_import.proto

import type { PostalAddress as _registry_import_v1_PostalAddress, PostalAddress__Output as _registry_import_v1_PostalAddress__Output } from '../../registry_import/v1/PostalAddress.ts';

export interface AccountHolder {
  'accountHolderId'?: (string);
  'name'?: (string);
  'businessId'?: (string);
  'address'?: (_registry_import_v1_PostalAddress | null);
  'autoApproval'?: (boolean);
  'registeredOn'?: (string);
  'kind'?: (string);
  'status'?: (string);
  'suspendedAt'?: (string);
  'suspendedReason'?: (string);
  '_suspendedAt'?: "suspendedAt";
  '_suspendedReason'?: "suspendedReason";
}

export interface AccountHolder__Output {
  'accountHolderId': (string);
  'name': (string);
  'businessId': (string);
  'address': (_registry_import_v1_PostalAddress__Output | null);
  'autoApproval': (boolean);
  'registeredOn': (string);
  'kind': (string);
  'status': (string);
  'suspendedAt'?: (string);
  'suspendedReason'?: (string);
  '_suspendedAt'?: "suspendedAt";
  '_suspendedReason'?: "suspendedReason";
}
