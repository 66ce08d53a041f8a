// Original file: protos/webhooks/v1/webhooks.proto

import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';

export interface DeliveryFilter {
  'status'?: (string);
  'eventId'?: (string);
  'createdAt'?: (_common_v1_TimeBounds | null);
  '_status'?: "status";
  '_eventId'?: "eventId";
}

export interface DeliveryFilter__Output {
  'status'?: (string);
  'eventId'?: (string);
  'createdAt': (_common_v1_TimeBounds__Output | null);
  '_status'?: "status";
  '_eventId'?: "eventId";
}
