// Original file: protos/tasks/v1/tasks.proto

import type { AwaitedTask as _tasks_v1_AwaitedTask, AwaitedTask__Output as _tasks_v1_AwaitedTask__Output } from '../../tasks/v1/AwaitedTask.ts';

export interface WaitForTasksRequest {
  'tasks'?: (_tasks_v1_AwaitedTask)[];
}

export interface WaitForTasksRequest__Output {
  'tasks': (_tasks_v1_AwaitedTask__Output)[];
}
