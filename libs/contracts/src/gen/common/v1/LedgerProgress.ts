// Original file: protos/common/v1/ledger_progress.proto

import type { ChannelProgress as _common_v1_ChannelProgress, ChannelProgress__Output as _common_v1_ChannelProgress__Output } from '../../common/v1/ChannelProgress.ts';

export interface LedgerProgress {
  'channels'?: (_common_v1_ChannelProgress)[];
}

export interface LedgerProgress__Output {
  'channels': (_common_v1_ChannelProgress__Output)[];
}
