// Original file: protos/events/v1/events.proto

import type { Event as _events_v1_Event, Event__Output as _events_v1_Event__Output } from '../../events/v1/Event.ts';

export interface StreamEventsResponse {
  'after'?: (string);
  'events'?: (_events_v1_Event)[];
  '_after'?: "after";
}

export interface StreamEventsResponse__Output {
  'after'?: (string);
  'events': (_events_v1_Event__Output)[];
  '_after'?: "after";
}
