// Original file: protos/common/v1/ledger_progress.proto

import type { SequenceRange as _common_v1_SequenceRange, SequenceRange__Output as _common_v1_SequenceRange__Output } from '../../common/v1/SequenceRange.ts';
import type { Long } from '@grpc/proto-loader';

export interface ChannelProgress {
  'salesChannelId'?: (string);
  'upto'?: (number | string | Long);
  'highest'?: (number | string | Long);
  'gaps'?: (_common_v1_SequenceRange)[];
}

export interface ChannelProgress__Output {
  'salesChannelId': (string);
  'upto': (string);
  'highest': (string);
  'gaps': (_common_v1_SequenceRange__Output)[];
}
