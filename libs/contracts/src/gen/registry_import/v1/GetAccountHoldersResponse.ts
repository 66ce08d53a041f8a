// Original file: protos/registry_import/v1/registry_import.proto

import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';

export interface GetAccountHoldersResponse {
  'accountHolders'?: (_registry_import_v1_AccountHolder)[];
  'leaseMs'?: (number);
}

export interface GetAccountHoldersResponse__Output {
  'accountHolders': (_registry_import_v1_AccountHolder__Output)[];
  'leaseMs': (number);
}
