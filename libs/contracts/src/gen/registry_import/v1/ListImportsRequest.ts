// Original file: protos/registry_import/v1/registry_import.proto

import type { Page as _common_v1_Page, Page__Output as _common_v1_Page__Output } from '../../common/v1/Page.ts';

export interface ListImportsRequest {
  'page'?: (_common_v1_Page | null);
}

export interface ListImportsRequest__Output {
  'page': (_common_v1_Page__Output | null);
}
