// Original file: protos/tasks/v1/tasks.proto

import type { Task as _tasks_v1_Task, Task__Output as _tasks_v1_Task__Output } from '../../tasks/v1/Task.ts';

export interface ListedTask {
  'task'?: (_tasks_v1_Task | null);
  'type'?: (string);
  'traderId'?: (string);
  'createdAt'?: (string);
  'externalReference'?: (string);
  '_externalReference'?: "externalReference";
}

export interface ListedTask__Output {
  'task': (_tasks_v1_Task__Output | null);
  'type': (string);
  'traderId': (string);
  'createdAt': (string);
  'externalReference'?: (string);
  '_externalReference'?: "externalReference";
}
