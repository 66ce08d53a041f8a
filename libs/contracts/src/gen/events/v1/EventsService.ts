// Original file: protos/events/v1/events.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ListEventsRequest as _events_v1_ListEventsRequest, ListEventsRequest__Output as _events_v1_ListEventsRequest__Output } from '../../events/v1/ListEventsRequest.ts';
import type { ListEventsResponse as _events_v1_ListEventsResponse, ListEventsResponse__Output as _events_v1_ListEventsResponse__Output } from '../../events/v1/ListEventsResponse.ts';
import type { StreamEventsRequest as _events_v1_StreamEventsRequest, StreamEventsRequest__Output as _events_v1_StreamEventsRequest__Output } from '../../events/v1/StreamEventsRequest.ts';
import type { StreamEventsResponse as _events_v1_StreamEventsResponse, StreamEventsResponse__Output as _events_v1_StreamEventsResponse__Output } from '../../events/v1/StreamEventsResponse.ts';

export interface EventsServiceClient extends grpc.Client {
  ListEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _events_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  ListEvents(argument: _events_v1_ListEventsRequest, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  listEvents(argument: _events_v1_ListEventsRequest, callback: grpc.requestCallback<_events_v1_ListEventsResponse__Output>): grpc.ClientUnaryCall;
  
  StreamEvents(argument: _events_v1_StreamEventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_events_v1_StreamEventsResponse__Output>;
  StreamEvents(argument: _events_v1_StreamEventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_events_v1_StreamEventsResponse__Output>;
  streamEvents(argument: _events_v1_StreamEventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_events_v1_StreamEventsResponse__Output>;
  streamEvents(argument: _events_v1_StreamEventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_events_v1_StreamEventsResponse__Output>;
  
}

export interface EventsServiceHandlers extends grpc.UntypedServiceImplementation {
  ListEvents: grpc.handleUnaryCall<_events_v1_ListEventsRequest__Output, _events_v1_ListEventsResponse>;
  
  StreamEvents: grpc.handleServerStreamingCall<_events_v1_StreamEventsRequest__Output, _events_v1_StreamEventsResponse>;
  
}

export interface EventsServiceDefinition extends grpc.ServiceDefinition {
  ListEvents: MethodDefinition<_events_v1_ListEventsRequest, _events_v1_ListEventsResponse, _events_v1_ListEventsRequest__Output, _events_v1_ListEventsResponse__Output>
  StreamEvents: MethodDefinition<_events_v1_StreamEventsRequest, _events_v1_StreamEventsResponse, _events_v1_StreamEventsRequest__Output, _events_v1_StreamEventsResponse__Output>
}
