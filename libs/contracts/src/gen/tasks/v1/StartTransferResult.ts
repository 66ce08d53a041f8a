// Original file: protos/tasks/v1/tasks.proto

import type { Task as _tasks_v1_Task, Task__Output as _tasks_v1_Task__Output } from '../../tasks/v1/Task.ts';
import type { Problem as _common_v1_Problem, Problem__Output as _common_v1_Problem__Output } from '../../common/v1/Problem.ts';

export interface StartTransferResult {
  'task'?: (_tasks_v1_Task | null);
  'problem'?: (_common_v1_Problem | null);
  'replayed'?: (boolean);
  'outcome'?: "task"|"problem";
}

export interface StartTransferResult__Output {
  'task'?: (_tasks_v1_Task__Output | null);
  'problem'?: (_common_v1_Problem__Output | null);
  'replayed': (boolean);
  'outcome'?: "task"|"problem";
}
