// Original file: protos/events/v1/events.proto

import type { Filter as _events_v1_Filter, Filter__Output as _events_v1_Filter__Output } from '../../events/v1/Filter.ts';

export interface ListEventsRequest {
  'filter'?: (_events_v1_Filter | null);
  'descending'?: (boolean);
  'limit'?: (number);
}

export interface ListEventsRequest__Output {
  'filter': (_events_v1_Filter__Output | null);
  'descending': (boolean);
  'limit': (number);
}
