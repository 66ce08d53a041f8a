// Original file: protos/events/v1/events.proto

import type { EventFilter as _events_v1_EventFilter, EventFilter__Output as _events_v1_EventFilter__Output } from '../../events/v1/EventFilter.ts';

export interface ListEventsRequest {
  'filter'?: (_events_v1_EventFilter | null);
  'descending'?: (boolean);
  'limit'?: (number);
}

export interface ListEventsRequest__Output {
  'filter': (_events_v1_EventFilter__Output | null);
  'descending': (boolean);
  'limit': (number);
}
