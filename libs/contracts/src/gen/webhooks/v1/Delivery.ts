// Original file: protos/webhooks/v1/webhooks.proto

import type { Event as _events_v1_Event, Event__Output as _events_v1_Event__Output } from '../../events/v1/Event.ts';
import type { Attempt as _webhooks_v1_Attempt, Attempt__Output as _webhooks_v1_Attempt__Output } from '../../webhooks/v1/Attempt.ts';

export interface Delivery {
  'id'?: (string);
  'endpointId'?: (string);
  'messageId'?: (string);
  'type'?: (string);
  'event'?: (_events_v1_Event | null);
  'status'?: (string);
  'attemptCount'?: (number);
  'createdAt'?: (string);
  'nextAttemptAt'?: (string);
  'lastAttempt'?: (_webhooks_v1_Attempt | null);
  '_event'?: "event";
  '_nextAttemptAt'?: "nextAttemptAt";
  '_lastAttempt'?: "lastAttempt";
}

export interface Delivery__Output {
  'id': (string);
  'endpointId': (string);
  'messageId': (string);
  'type': (string);
  'event'?: (_events_v1_Event__Output | null);
  'status': (string);
  'attemptCount': (number);
  'createdAt': (string);
  'nextAttemptAt'?: (string);
  'lastAttempt'?: (_webhooks_v1_Attempt__Output | null);
  '_event'?: "event";
  '_nextAttemptAt'?: "nextAttemptAt";
  '_lastAttempt'?: "lastAttempt";
}
