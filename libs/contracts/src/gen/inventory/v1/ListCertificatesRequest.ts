// Original file: protos/inventory/v1/inventory.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';
import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface ListCertificatesRequest {
  'page'?: (_common_v1_Page | null);
  'issuanceId'?: (string);
  'ownerId'?: (string);
  'salesChannelId'?: (string);
  'status'?: (string);
  'format'?: (_common_v1_ListFormat);
  '_issuanceId'?: "issuanceId";
  '_ownerId'?: "ownerId";
  '_salesChannelId'?: "salesChannelId";
  '_status'?: "status";
}

export interface ListCertificatesRequest__Output {
  'page': (_common_v1_Page__Output | null);
  'issuanceId'?: (string);
  'ownerId'?: (string);
  'salesChannelId'?: (string);
  'status'?: (string);
  'format': (_common_v1_ListFormat__Output);
  '_issuanceId'?: "issuanceId";
  '_ownerId'?: "ownerId";
  '_salesChannelId'?: "salesChannelId";
  '_status'?: "status";
}
