// Original file: protos/tasks/v1/tasks.proto

import type { Count as _common_v1_Count, Count__Output as _common_v1_Count__Output } from '../../common/v1/Count.ts';

export interface CountOpenTasksResponse {
  'tasks'?: (_common_v1_Count | null);
}

export interface CountOpenTasksResponse__Output {
  'tasks': (_common_v1_Count__Output | null);
}
