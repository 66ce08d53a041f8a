// Original file: protos/inventory/v1/inventory.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';

export interface ListIssuancesRequest {
  'page'?: (_common_v1_Page | null);
  'productionFacilityCode'?: (string);
  'vintage'?: (number);
  'accountHolderId'?: (string);
  '_productionFacilityCode'?: "productionFacilityCode";
  '_vintage'?: "vintage";
  '_accountHolderId'?: "accountHolderId";
}

export interface ListIssuancesRequest__Output {
  'page': (_common_v1_Page__Output | null);
  'productionFacilityCode'?: (string);
  'vintage'?: (number);
  'accountHolderId'?: (string);
  '_productionFacilityCode'?: "productionFacilityCode";
  '_vintage'?: "vintage";
  '_accountHolderId'?: "accountHolderId";
}
