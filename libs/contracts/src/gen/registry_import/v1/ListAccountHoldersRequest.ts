// Original file: protos/registry_import/v1/registry_import.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';

export interface ListAccountHoldersRequest {
  'page'?: (_common_v1_Page | null);
  'businessId'?: (string);
  'name'?: (string);
  'namePart'?: (string);
  '_businessId'?: "businessId";
  '_name'?: "name";
  '_namePart'?: "namePart";
}

export interface ListAccountHoldersRequest__Output {
  'page': (_common_v1_Page__Output | null);
  'businessId'?: (string);
  'name'?: (string);
  'namePart'?: (string);
  '_businessId'?: "businessId";
  '_name'?: "name";
  '_namePart'?: "namePart";
}
