// Original file: protos/common/v1/activity.proto

import type { Outbox as _common_v1_Outbox, Outbox__Output as _common_v1_Outbox__Output } from '../../common/v1/Outbox.ts';
import type { Long } from '@grpc/proto-loader';

export interface Activity {
  'outbox'?: (_common_v1_Outbox | null);
  'changes'?: (number | string | Long);
  'waitingTasks'?: (number | string | Long);
  'unfinishedImports'?: (number | string | Long);
  '_changes'?: "changes";
  '_waitingTasks'?: "waitingTasks";
  '_unfinishedImports'?: "unfinishedImports";
}

export interface Activity__Output {
  'outbox': (_common_v1_Outbox__Output | null);
  'changes'?: (string);
  'waitingTasks'?: (string);
  'unfinishedImports'?: (string);
  '_changes'?: "changes";
  '_waitingTasks'?: "waitingTasks";
  '_unfinishedImports'?: "unfinishedImports";
}
