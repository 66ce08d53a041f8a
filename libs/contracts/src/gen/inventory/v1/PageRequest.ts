// Original file: protos/inventory/v1/inventory.proto

import type { Long } from '@grpc/proto-loader';

export interface PageRequest {
  'limit'?: (number);
  'offset'?: (number | string | Long);
}

export interface PageRequest__Output {
  'limit': (number);
  'offset': (string);
}
