// Original file: protos/tasks/v1/tasks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetTaskRequest as _tasks_v1_GetTaskRequest, GetTaskRequest__Output as _tasks_v1_GetTaskRequest__Output } from '../../tasks/v1/GetTaskRequest.ts';
import type { ListTasksRequest as _tasks_v1_ListTasksRequest, ListTasksRequest__Output as _tasks_v1_ListTasksRequest__Output } from '../../tasks/v1/ListTasksRequest.ts';
import type { ListTasksResponse as _tasks_v1_ListTasksResponse, ListTasksResponse__Output as _tasks_v1_ListTasksResponse__Output } from '../../tasks/v1/ListTasksResponse.ts';
import type { StartTransfersRequest as _tasks_v1_StartTransfersRequest, StartTransfersRequest__Output as _tasks_v1_StartTransfersRequest__Output } from '../../tasks/v1/StartTransfersRequest.ts';
import type { StartTransfersResponse as _tasks_v1_StartTransfersResponse, StartTransfersResponse__Output as _tasks_v1_StartTransfersResponse__Output } from '../../tasks/v1/StartTransfersResponse.ts';
import type { Task as _tasks_v1_Task, Task__Output as _tasks_v1_Task__Output } from '../../tasks/v1/Task.ts';
import type { WaitForTasksRequest as _tasks_v1_WaitForTasksRequest, WaitForTasksRequest__Output as _tasks_v1_WaitForTasksRequest__Output } from '../../tasks/v1/WaitForTasksRequest.ts';
import type { WaitForTasksResponse as _tasks_v1_WaitForTasksResponse, WaitForTasksResponse__Output as _tasks_v1_WaitForTasksResponse__Output } from '../../tasks/v1/WaitForTasksResponse.ts';

export interface TasksServiceClient extends grpc.Client {
  GetTask(argument: _tasks_v1_GetTaskRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  GetTask(argument: _tasks_v1_GetTaskRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  GetTask(argument: _tasks_v1_GetTaskRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  GetTask(argument: _tasks_v1_GetTaskRequest, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  getTask(argument: _tasks_v1_GetTaskRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  getTask(argument: _tasks_v1_GetTaskRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  getTask(argument: _tasks_v1_GetTaskRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  getTask(argument: _tasks_v1_GetTaskRequest, callback: grpc.requestCallback<_tasks_v1_Task__Output>): grpc.ClientUnaryCall;
  
  ListTasks(argument: _tasks_v1_ListTasksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  ListTasks(argument: _tasks_v1_ListTasksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  ListTasks(argument: _tasks_v1_ListTasksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  ListTasks(argument: _tasks_v1_ListTasksRequest, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  listTasks(argument: _tasks_v1_ListTasksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  listTasks(argument: _tasks_v1_ListTasksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  listTasks(argument: _tasks_v1_ListTasksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  listTasks(argument: _tasks_v1_ListTasksRequest, callback: grpc.requestCallback<_tasks_v1_ListTasksResponse__Output>): grpc.ClientUnaryCall;
  
  StartTransfers(argument: _tasks_v1_StartTransfersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  StartTransfers(argument: _tasks_v1_StartTransfersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  StartTransfers(argument: _tasks_v1_StartTransfersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  StartTransfers(argument: _tasks_v1_StartTransfersRequest, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  startTransfers(argument: _tasks_v1_StartTransfersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  startTransfers(argument: _tasks_v1_StartTransfersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  startTransfers(argument: _tasks_v1_StartTransfersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  startTransfers(argument: _tasks_v1_StartTransfersRequest, callback: grpc.requestCallback<_tasks_v1_StartTransfersResponse__Output>): grpc.ClientUnaryCall;
  
  WaitForTasks(argument: _tasks_v1_WaitForTasksRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tasks_v1_WaitForTasksResponse__Output>;
  WaitForTasks(argument: _tasks_v1_WaitForTasksRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tasks_v1_WaitForTasksResponse__Output>;
  waitForTasks(argument: _tasks_v1_WaitForTasksRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tasks_v1_WaitForTasksResponse__Output>;
  waitForTasks(argument: _tasks_v1_WaitForTasksRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tasks_v1_WaitForTasksResponse__Output>;
  
}

export interface TasksServiceHandlers extends grpc.UntypedServiceImplementation {
  GetTask: grpc.handleUnaryCall<_tasks_v1_GetTaskRequest__Output, _tasks_v1_Task>;
  
  ListTasks: grpc.handleUnaryCall<_tasks_v1_ListTasksRequest__Output, _tasks_v1_ListTasksResponse>;
  
  StartTransfers: grpc.handleUnaryCall<_tasks_v1_StartTransfersRequest__Output, _tasks_v1_StartTransfersResponse>;
  
  WaitForTasks: grpc.handleServerStreamingCall<_tasks_v1_WaitForTasksRequest__Output, _tasks_v1_WaitForTasksResponse>;
  
}

export interface TasksServiceDefinition extends grpc.ServiceDefinition {
  GetTask: MethodDefinition<_tasks_v1_GetTaskRequest, _tasks_v1_Task, _tasks_v1_GetTaskRequest__Output, _tasks_v1_Task__Output>
  ListTasks: MethodDefinition<_tasks_v1_ListTasksRequest, _tasks_v1_ListTasksResponse, _tasks_v1_ListTasksRequest__Output, _tasks_v1_ListTasksResponse__Output>
  StartTransfers: MethodDefinition<_tasks_v1_StartTransfersRequest, _tasks_v1_StartTransfersResponse, _tasks_v1_StartTransfersRequest__Output, _tasks_v1_StartTransfersResponse__Output>
  WaitForTasks: MethodDefinition<_tasks_v1_WaitForTasksRequest, _tasks_v1_WaitForTasksResponse, _tasks_v1_WaitForTasksRequest__Output, _tasks_v1_WaitForTasksResponse__Output>
}
