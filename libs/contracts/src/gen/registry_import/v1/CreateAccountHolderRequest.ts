// Original file: protos/registry_import/v1/registry_import.proto

import type { AccountHolderContent as _registry_import_v1_AccountHolderContent, AccountHolderContent__Output as _registry_import_v1_AccountHolderContent__Output } from '../../registry_import/v1/AccountHolderContent.ts';

export interface CreateAccountHolderRequest {
  'content'?: (_registry_import_v1_AccountHolderContent | null);
}

export interface CreateAccountHolderRequest__Output {
  'content': (_registry_import_v1_AccountHolderContent__Output | null);
}
