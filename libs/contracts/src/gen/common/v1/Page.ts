// Original file: protos/common/v1/page.proto

import type { Long } from '@grpc/proto-loader';

export interface Page {
  'limit'?: (number);
  'offset'?: (number | string | Long);
}

export interface Page__Output {
  'limit': (number);
  'offset': (string);
}
