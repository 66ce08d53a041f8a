import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Event as _events_v1_Event, Event__Output as _events_v1_Event__Output } from './events/v1/Event.ts';
import type { EventsClient as _events_v1_EventsClient, EventsDefinition as _events_v1_EventsDefinition } from './events/v1/Events.ts';
import type { Filter as _events_v1_Filter, Filter__Output as _events_v1_Filter__Output } from './events/v1/Filter.ts';
import type { ListEventsRequest as _events_v1_ListEventsRequest, ListEventsRequest__Output as _events_v1_ListEventsRequest__Output } from './events/v1/ListEventsRequest.ts';
import type { ListEventsResponse as _events_v1_ListEventsResponse, ListEventsResponse__Output as _events_v1_ListEventsResponse__Output } from './events/v1/ListEventsResponse.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  events: {
    v1: {
      Event: MessageTypeDefinition<_events_v1_Event, _events_v1_Event__Output>
      Events: SubtypeConstructor<typeof grpc.Client, _events_v1_EventsClient> & { service: _events_v1_EventsDefinition }
      Filter: MessageTypeDefinition<_events_v1_Filter, _events_v1_Filter__Output>
      ListEventsRequest: MessageTypeDefinition<_events_v1_ListEventsRequest, _events_v1_ListEventsRequest__Output>
      ListEventsResponse: MessageTypeDefinition<_events_v1_ListEventsResponse, _events_v1_ListEventsResponse__Output>
    }
  }
}

