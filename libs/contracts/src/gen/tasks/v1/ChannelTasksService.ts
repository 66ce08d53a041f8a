// Original file: protos/tasks/v1/tasks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CountOpenTasksRequest as _tasks_v1_CountOpenTasksRequest, CountOpenTasksRequest__Output as _tasks_v1_CountOpenTasksRequest__Output } from '../../tasks/v1/CountOpenTasksRequest.ts';
import type { CountOpenTasksResponse as _tasks_v1_CountOpenTasksResponse, CountOpenTasksResponse__Output as _tasks_v1_CountOpenTasksResponse__Output } from '../../tasks/v1/CountOpenTasksResponse.ts';

export interface ChannelTasksServiceClient extends grpc.Client {
  CountOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  CountOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  CountOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  CountOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  countOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  countOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  countOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  countOpenTasks(argument: _tasks_v1_CountOpenTasksRequest, callback: grpc.requestCallback<_tasks_v1_CountOpenTasksResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ChannelTasksServiceHandlers extends grpc.UntypedServiceImplementation {
  CountOpenTasks: grpc.handleUnaryCall<_tasks_v1_CountOpenTasksRequest__Output, _tasks_v1_CountOpenTasksResponse>;
  
}

export interface ChannelTasksServiceDefinition extends grpc.ServiceDefinition {
  CountOpenTasks: MethodDefinition<_tasks_v1_CountOpenTasksRequest, _tasks_v1_CountOpenTasksResponse, _tasks_v1_CountOpenTasksRequest__Output, _tasks_v1_CountOpenTasksResponse__Output>
}
