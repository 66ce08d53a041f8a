// Original file: protos/registry_import/v1/registry_import.proto

import type { Long } from '@grpc/proto-loader';

export interface ImportError {
  'line'?: (number | string | Long);
  'code'?: (string);
  'detail'?: (string);
}

export interface ImportError__Output {
  'line': (string);
  'code': (string);
  'detail': (string);
}
