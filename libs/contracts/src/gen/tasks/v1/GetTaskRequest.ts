// Original file: protos/tasks/v1/tasks.proto

import type { TransferType as _tasks_v1_TransferType, TransferType__Output as _tasks_v1_TransferType__Output } from '../../tasks/v1/TransferType.ts';

export interface GetTaskRequest {
  'type'?: (_tasks_v1_TransferType);
  'traderId'?: (string);
  'taskId'?: (string);
}

export interface GetTaskRequest__Output {
  'type': (_tasks_v1_TransferType__Output);
  'traderId': (string);
  'taskId': (string);
}
