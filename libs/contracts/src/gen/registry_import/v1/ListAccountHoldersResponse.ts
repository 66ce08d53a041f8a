// Original file: protos/registry_import/v1/registry_import.proto

import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListAccountHoldersResponse {
  'total'?: (number | string | Long);
  'accountHolders'?: (_registry_import_v1_AccountHolder)[];
  'next'?: (string);
  'searched'?: (boolean);
  '_next'?: "next";
}

export interface ListAccountHoldersResponse__Output {
  'total': (string);
  'accountHolders': (_registry_import_v1_AccountHolder__Output)[];
  'next'?: (string);
  'searched': (boolean);
  '_next'?: "next";
}
