// Original file: protos/webhooks/v1/webhooks.proto

import type { Delivery as _webhooks_v1_Delivery, Delivery__Output as _webhooks_v1_Delivery__Output } from '../../webhooks/v1/Delivery.ts';
import type { Attempt as _webhooks_v1_Attempt, Attempt__Output as _webhooks_v1_Attempt__Output } from '../../webhooks/v1/Attempt.ts';

export interface DeliveryDetail {
  'delivery'?: (_webhooks_v1_Delivery | null);
  'url'?: (string);
  'body'?: (string);
  'attempts'?: (_webhooks_v1_Attempt)[];
}

export interface DeliveryDetail__Output {
  'delivery': (_webhooks_v1_Delivery__Output | null);
  'url': (string);
  'body': (string);
  'attempts': (_webhooks_v1_Attempt__Output)[];
}
