// Original file: protos/registry_import/v1/registry_import.proto

import type { Long } from '@grpc/proto-loader';

export interface ListImportsRequest {
  'limit'?: (number);
  'offset'?: (number | string | Long);
}

export interface ListImportsRequest__Output {
  'limit': (number);
  'offset': (string);
}
