// Original file: protos/tasks/v1/tasks.proto

import type { StartTransfer as _tasks_v1_StartTransfer, StartTransfer__Output as _tasks_v1_StartTransfer__Output } from '../../tasks/v1/StartTransfer.ts';

export interface StartTransfersRequest {
  'transfers'?: (_tasks_v1_StartTransfer)[];
}

export interface StartTransfersRequest__Output {
  'transfers': (_tasks_v1_StartTransfer__Output)[];
}
