// Original file: protos/tasks/v1/tasks.proto

import type { StartTransferResult as _tasks_v1_StartTransferResult, StartTransferResult__Output as _tasks_v1_StartTransferResult__Output } from '../../tasks/v1/StartTransferResult.ts';

export interface StartTransfersResponse {
  'results'?: (_tasks_v1_StartTransferResult)[];
}

export interface StartTransfersResponse__Output {
  'results': (_tasks_v1_StartTransferResult__Output)[];
}
