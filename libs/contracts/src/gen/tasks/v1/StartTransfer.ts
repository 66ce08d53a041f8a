// Original file: protos/tasks/v1/tasks.proto

import type { Operation as _tasks_v1_Operation, Operation__Output as _tasks_v1_Operation__Output } from '../../tasks/v1/Operation.ts';
import type { Selection as _tasks_v1_Selection, Selection__Output as _tasks_v1_Selection__Output } from '../../tasks/v1/Selection.ts';
import type { Retirement as _tasks_v1_Retirement, Retirement__Output as _tasks_v1_Retirement__Output } from '../../tasks/v1/Retirement.ts';

export interface StartTransfer {
  'principalToken'?: (string);
  'traceparent'?: (string);
  'operation'?: (_tasks_v1_Operation);
  'traderId'?: (string);
  'idempotencyKey'?: (string);
  'assets'?: (_tasks_v1_Selection)[];
  'buyerId'?: (string);
  'currency'?: (string);
  'retirement'?: (_tasks_v1_Retirement | null);
  '_buyerId'?: "buyerId";
  '_currency'?: "currency";
}

export interface StartTransfer__Output {
  'principalToken': (string);
  'traceparent': (string);
  'operation': (_tasks_v1_Operation__Output);
  'traderId': (string);
  'idempotencyKey': (string);
  'assets': (_tasks_v1_Selection__Output)[];
  'buyerId'?: (string);
  'currency'?: (string);
  'retirement': (_tasks_v1_Retirement__Output | null);
  '_buyerId'?: "buyerId";
  '_currency'?: "currency";
}
