// Original file: protos/tasks/v1/tasks.proto

import type { GetTaskRequest as _tasks_v1_GetTaskRequest, GetTaskRequest__Output as _tasks_v1_GetTaskRequest__Output } from '../../tasks/v1/GetTaskRequest.ts';

export interface AwaitedTask {
  'principalToken'?: (string);
  'task'?: (_tasks_v1_GetTaskRequest | null);
}

export interface AwaitedTask__Output {
  'principalToken': (string);
  'task': (_tasks_v1_GetTaskRequest__Output | null);
}
