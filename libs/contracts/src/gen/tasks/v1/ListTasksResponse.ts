// Original file: protos/tasks/v1/tasks.proto

import type { ListedTask as _tasks_v1_ListedTask, ListedTask__Output as _tasks_v1_ListedTask__Output } from '../../tasks/v1/ListedTask.ts';

export interface ListTasksResponse {
  'tasks'?: (_tasks_v1_ListedTask)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListTasksResponse__Output {
  'tasks': (_tasks_v1_ListedTask__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
