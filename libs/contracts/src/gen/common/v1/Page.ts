// Original file: protos/common/v1/page.proto

import type { Long } from '@grpc/proto-loader';

export interface Page {
  'limit'?: (number);
  'offset'?: (number | string | Long);
  'after'?: (string);
  '_after'?: "after";
}

export interface Page__Output {
  'limit': (number);
  'offset': (string);
  'after'?: (string);
  '_after'?: "after";
}
