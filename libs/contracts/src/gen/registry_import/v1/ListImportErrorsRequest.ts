// Original file: protos/registry_import/v1/registry_import.proto

import type { Long } from '@grpc/proto-loader';

export interface ListImportErrorsRequest {
  'importId'?: (string);
  'limit'?: (number);
  'offset'?: (number | string | Long);
}

export interface ListImportErrorsRequest__Output {
  'importId': (string);
  'limit': (number);
  'offset': (string);
}
