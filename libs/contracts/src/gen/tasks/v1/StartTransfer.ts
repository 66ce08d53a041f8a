// Original file: protos/tasks/v1/tasks.proto

import type { Trade as _tasks_v1_Trade, Trade__Output as _tasks_v1_Trade__Output } from '../../tasks/v1/Trade.ts';
import type { Retirement as _tasks_v1_Retirement, Retirement__Output as _tasks_v1_Retirement__Output } from '../../tasks/v1/Retirement.ts';
import type { Offramp as _tasks_v1_Offramp, Offramp__Output as _tasks_v1_Offramp__Output } from '../../tasks/v1/Offramp.ts';

export interface StartTransfer {
  'principalToken'?: (string);
  'traceparent'?: (string);
  'traderId'?: (string);
  'idempotencyKey'?: (string);
  'trade'?: (_tasks_v1_Trade | null);
  'retirement'?: (_tasks_v1_Retirement | null);
  'offramp'?: (_tasks_v1_Offramp | null);
  'requestId'?: (string);
  'clientAddress'?: (string);
  'previousGeneration'?: (boolean);
  'externalReference'?: (string);
  'metadata'?: ({[key: string]: string});
  'terms'?: "trade"|"retirement"|"offramp";
  '_requestId'?: "requestId";
  '_clientAddress'?: "clientAddress";
  '_externalReference'?: "externalReference";
}

export interface StartTransfer__Output {
  'principalToken': (string);
  'traceparent': (string);
  'traderId': (string);
  'idempotencyKey': (string);
  'trade'?: (_tasks_v1_Trade__Output | null);
  'retirement'?: (_tasks_v1_Retirement__Output | null);
  'offramp'?: (_tasks_v1_Offramp__Output | null);
  'requestId'?: (string);
  'clientAddress'?: (string);
  'previousGeneration': (boolean);
  'externalReference'?: (string);
  'metadata': ({[key: string]: string});
  'terms'?: "trade"|"retirement"|"offramp";
  '_requestId'?: "requestId";
  '_clientAddress'?: "clientAddress";
  '_externalReference'?: "externalReference";
}
