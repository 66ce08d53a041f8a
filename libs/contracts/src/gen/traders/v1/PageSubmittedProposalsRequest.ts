// Original file: protos/traders/v1/traders.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';

export interface PageSubmittedProposalsRequest {
  'page'?: (_common_v1_Page | null);
  'status'?: (string);
  'accountHolderId'?: (string);
  '_status'?: "status";
  '_accountHolderId'?: "accountHolderId";
}

export interface PageSubmittedProposalsRequest__Output {
  'page': (_common_v1_Page__Output | null);
  'status'?: (string);
  'accountHolderId'?: (string);
  '_status'?: "status";
  '_accountHolderId'?: "accountHolderId";
}
