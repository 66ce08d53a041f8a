// Original file: protos/events/v1/events.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ListEventsRequest as _events_v1_ListEventsRequest, ListEventsRequest__Output as _events_v1_ListEventsRequest__Output } from '../../events/v1/ListEventsRequest.ts';
import type { ListEventsResponse as _events_v1_ListEventsResponse, ListEventsResponse__Output as _events_v1_ListEventsResponse__Output } from '../../events/v1/ListEventsResponse.ts';

export interface EventsServiceClient extends grpc.Client {
  ListEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _events_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _events_v1_ListEventsRequest, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface EventsServiceHandlers extends grpc.UntypedServiceImplementation {
  ListEvents: grpc.handleUnaryCall<_events_v1_ListEventsRequest__Output, _events_v1_ListEventsResponse>;
  
}

export interface EventsServiceDefinition extends grpc.ServiceDefinition {
  ListEvents: MethodDefinition<_events_v1_ListEventsRequest, _events_v1_ListEventsResponse, _events_v1_ListEventsRequest__Output, _events_v1_ListEventsResponse__Output>
}
