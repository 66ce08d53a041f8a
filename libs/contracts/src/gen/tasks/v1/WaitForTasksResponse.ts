// Original file: protos/tasks/v1/tasks.proto

import type { Task as _tasks_v1_Task, Task__Output as _tasks_v1_Task__Output } from '../../tasks/v1/Task.ts';

export interface WaitForTasksResponse {
  'tasks'?: (_tasks_v1_Task)[];
}

export interface WaitForTasksResponse__Output {
  'tasks': (_tasks_v1_Task__Output)[];
}
