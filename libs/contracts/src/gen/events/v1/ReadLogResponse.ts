// Original file: protos/events/v1/events.proto

import type { Event as _events_v1_Event, Event__Output as _events_v1_Event__Output } from '../../events/v1/Event.ts';

export interface ReadLogResponse {
  'events'?: (_events_v1_Event)[];
  'previousEventId'?: (string);
  '_previousEventId'?: "previousEventId";
}

export interface ReadLogResponse__Output {
  'events': (_events_v1_Event__Output)[];
  'previousEventId'?: (string);
  '_previousEventId'?: "previousEventId";
}
