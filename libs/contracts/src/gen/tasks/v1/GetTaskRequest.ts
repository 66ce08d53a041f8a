// Original file: protos/tasks/v1/tasks.proto

import type { Operation as _tasks_v1_Operation, Operation__Output as _tasks_v1_Operation__Output } from '../../tasks/v1/Operation.ts';

export interface GetTaskRequest {
  'operation'?: (_tasks_v1_Operation);
  'traderId'?: (string);
  'taskId'?: (string);
}

export interface GetTaskRequest__Output {
  'operation': (_tasks_v1_Operation__Output);
  'traderId': (string);
  'taskId': (string);
}
