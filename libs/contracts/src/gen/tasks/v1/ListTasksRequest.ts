// Original file: protos/tasks/v1/tasks.proto

import type { TaskFilter as _tasks_v1_TaskFilter, TaskFilter__Output as _tasks_v1_TaskFilter__Output } from '../../tasks/v1/TaskFilter.ts';
import type { ChannelPage as _common_v1_ChannelPage, ChannelPage__Output as _common_v1_ChannelPage__Output } from '../../common/v1/ChannelPage.ts';

export interface ListTasksRequest {
  'filter'?: (_tasks_v1_TaskFilter | null);
  'ascending'?: (boolean);
  'page'?: (_common_v1_ChannelPage | null);
}

export interface ListTasksRequest__Output {
  'filter': (_tasks_v1_TaskFilter__Output | null);
  'ascending': (boolean);
  'page': (_common_v1_ChannelPage__Output | null);
}
