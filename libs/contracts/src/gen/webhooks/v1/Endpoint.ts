// Original file: protos/webhooks/v1/webhooks.proto

import type { SecretInfo as _webhooks_v1_SecretInfo, SecretInfo__Output as _webhooks_v1_SecretInfo__Output } from '../../webhooks/v1/SecretInfo.ts';
import type { LogPosition as _webhooks_v1_LogPosition, LogPosition__Output as _webhooks_v1_LogPosition__Output } from '../../webhooks/v1/LogPosition.ts';
import type { Replay as _webhooks_v1_Replay, Replay__Output as _webhooks_v1_Replay__Output } from '../../webhooks/v1/Replay.ts';

export interface Endpoint {
  'id'?: (string);
  'url'?: (string);
  'description'?: (string);
  'eventTypes'?: (string)[];
  'ordered'?: (boolean);
  'status'?: (string);
  'disabledReason'?: (string);
  'createdAt'?: (string);
  'createdBy'?: (string);
  'secrets'?: (_webhooks_v1_SecretInfo)[];
  'position'?: (_webhooks_v1_LogPosition | null);
  'pendingDeliveries'?: (number);
  'lastSuccessAt'?: (string);
  'lastFailureAt'?: (string);
  'failingSince'?: (string);
  'replay'?: (_webhooks_v1_Replay | null);
  '_description'?: "description";
  '_disabledReason'?: "disabledReason";
  '_position'?: "position";
  '_lastSuccessAt'?: "lastSuccessAt";
  '_lastFailureAt'?: "lastFailureAt";
  '_failingSince'?: "failingSince";
  '_replay'?: "replay";
}

export interface Endpoint__Output {
  'id': (string);
  'url': (string);
  'description'?: (string);
  'eventTypes': (string)[];
  'ordered': (boolean);
  'status': (string);
  'disabledReason'?: (string);
  'createdAt': (string);
  'createdBy': (string);
  'secrets': (_webhooks_v1_SecretInfo__Output)[];
  'position'?: (_webhooks_v1_LogPosition__Output | null);
  'pendingDeliveries': (number);
  'lastSuccessAt'?: (string);
  'lastFailureAt'?: (string);
  'failingSince'?: (string);
  'replay'?: (_webhooks_v1_Replay__Output | null);
  '_description'?: "description";
  '_disabledReason'?: "disabledReason";
  '_position'?: "position";
  '_lastSuccessAt'?: "lastSuccessAt";
  '_lastFailureAt'?: "lastFailureAt";
  '_failingSince'?: "failingSince";
  '_replay'?: "replay";
}
