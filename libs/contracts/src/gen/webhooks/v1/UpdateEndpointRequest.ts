// Original file: protos/webhooks/v1/webhooks.proto

import type { EventTypes as _webhooks_v1_EventTypes, EventTypes__Output as _webhooks_v1_EventTypes__Output } from '../../webhooks/v1/EventTypes.ts';

export interface UpdateEndpointRequest {
  'endpointId'?: (string);
  'url'?: (string);
  'description'?: (string);
  'eventTypes'?: (_webhooks_v1_EventTypes | null);
  'ordered'?: (boolean);
  'status'?: (string);
  '_url'?: "url";
  '_description'?: "description";
  '_eventTypes'?: "eventTypes";
  '_ordered'?: "ordered";
  '_status'?: "status";
}

export interface UpdateEndpointRequest__Output {
  'endpointId': (string);
  'url'?: (string);
  'description'?: (string);
  'eventTypes'?: (_webhooks_v1_EventTypes__Output | null);
  'ordered'?: (boolean);
  'status'?: (string);
  '_url'?: "url";
  '_description'?: "description";
  '_eventTypes'?: "eventTypes";
  '_ordered'?: "ordered";
  '_status'?: "status";
}
