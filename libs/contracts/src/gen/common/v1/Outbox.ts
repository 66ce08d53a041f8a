// Original file: protos/common/v1/activity.proto

import type { Long } from '@grpc/proto-loader';

export interface Outbox {
  'ageSeconds'?: (number | string);
  'refused'?: (number | string | Long);
}

export interface Outbox__Output {
  'ageSeconds': (number);
  'refused': (string);
}
