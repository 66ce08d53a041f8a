// Original file: protos/registry_import/v1/registry_import.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';

export interface ListSubmittedProposalsRequest {
  'page'?: (_common_v1_Page | null);
  'status'?: (string);
  'accountHolderId'?: (string);
  '_status'?: "status";
  '_accountHolderId'?: "accountHolderId";
}

export interface ListSubmittedProposalsRequest__Output {
  'page': (_common_v1_Page__Output | null);
  'status'?: (string);
  'accountHolderId'?: (string);
  '_status'?: "status";
  '_accountHolderId'?: "accountHolderId";
}
