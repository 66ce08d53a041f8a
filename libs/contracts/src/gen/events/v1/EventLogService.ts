// Original file: protos/events/v1/events.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetHeadsRequest as _events_v1_GetHeadsRequest, GetHeadsRequest__Output as _events_v1_GetHeadsRequest__Output } from '../../events/v1/GetHeadsRequest.ts';
import type { GetHeadsResponse as _events_v1_GetHeadsResponse, GetHeadsResponse__Output as _events_v1_GetHeadsResponse__Output } from '../../events/v1/GetHeadsResponse.ts';
import type { ReadLogRequest as _events_v1_ReadLogRequest, ReadLogRequest__Output as _events_v1_ReadLogRequest__Output } from '../../events/v1/ReadLogRequest.ts';
import type { ReadLogResponse as _events_v1_ReadLogResponse, ReadLogResponse__Output as _events_v1_ReadLogResponse__Output } from '../../events/v1/ReadLogResponse.ts';

export interface EventLogServiceClient extends grpc.Client {
  GetHeads(argument: _events_v1_GetHeadsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  GetHeads(argument: _events_v1_GetHeadsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  GetHeads(argument: _events_v1_GetHeadsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  GetHeads(argument: _events_v1_GetHeadsRequest, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  getHeads(argument: _events_v1_GetHeadsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  getHeads(argument: _events_v1_GetHeadsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  getHeads(argument: _events_v1_GetHeadsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  getHeads(argument: _events_v1_GetHeadsRequest, callback: grpc.requestCallback<_events_v1_GetHeadsResponse__Output>): grpc.ClientUnaryCall;
  
  ReadLog(argument: _events_v1_ReadLogRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  ReadLog(argument: _events_v1_ReadLogRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  ReadLog(argument: _events_v1_ReadLogRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  ReadLog(argument: _events_v1_ReadLogRequest, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  readLog(argument: _events_v1_ReadLogRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  readLog(argument: _events_v1_ReadLogRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  readLog(argument: _events_v1_ReadLogRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  readLog(argument: _events_v1_ReadLogRequest, callback: grpc.requestCallback<_events_v1_ReadLogResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface EventLogServiceHandlers extends grpc.UntypedServiceImplementation {
  GetHeads: grpc.handleUnaryCall<_events_v1_GetHeadsRequest__Output, _events_v1_GetHeadsResponse>;
  
  ReadLog: grpc.handleUnaryCall<_events_v1_ReadLogRequest__Output, _events_v1_ReadLogResponse>;
  
}

export interface EventLogServiceDefinition extends grpc.ServiceDefinition {
  GetHeads: MethodDefinition<_events_v1_GetHeadsRequest, _events_v1_GetHeadsResponse, _events_v1_GetHeadsRequest__Output, _events_v1_GetHeadsResponse__Output>
  ReadLog: MethodDefinition<_events_v1_ReadLogRequest, _events_v1_ReadLogResponse, _events_v1_ReadLogRequest__Output, _events_v1_ReadLogResponse__Output>
}
