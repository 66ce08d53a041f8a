// Original file: protos/registry_import/v1/registry_import.proto

import type { Long } from '@grpc/proto-loader';

export interface ImportEnd {
  'bytes'?: (number | string | Long);
}

export interface ImportEnd__Output {
  'bytes': (string);
}
