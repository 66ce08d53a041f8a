// Original file: protos/common/v1/ledger_progress.proto

import type { Long } from '@grpc/proto-loader';

export interface SequenceRange {
  'first'?: (number | string | Long);
  'last'?: (number | string | Long);
}

export interface SequenceRange__Output {
  'first': (string);
  'last': (string);
}
