import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { GetTaskRequest as _tasks_v1_GetTaskRequest, GetTaskRequest__Output as _tasks_v1_GetTaskRequest__Output } from './tasks/v1/GetTaskRequest.ts';
import type { Problem as _tasks_v1_Problem, Problem__Output as _tasks_v1_Problem__Output } from './tasks/v1/Problem.ts';
import type { Retirement as _tasks_v1_Retirement, Retirement__Output as _tasks_v1_Retirement__Output } from './tasks/v1/Retirement.ts';
import type { Selection as _tasks_v1_Selection, Selection__Output as _tasks_v1_Selection__Output } from './tasks/v1/Selection.ts';
import type { StartTransfer as _tasks_v1_StartTransfer, StartTransfer__Output as _tasks_v1_StartTransfer__Output } from './tasks/v1/StartTransfer.ts';
import type { StartTransferResult as _tasks_v1_StartTransferResult, StartTransferResult__Output as _tasks_v1_StartTransferResult__Output } from './tasks/v1/StartTransferResult.ts';
import type { StartTransfersRequest as _tasks_v1_StartTransfersRequest, StartTransfersRequest__Output as _tasks_v1_StartTransfersRequest__Output } from './tasks/v1/StartTransfersRequest.ts';
import type { StartTransfersResponse as _tasks_v1_StartTransfersResponse, StartTransfersResponse__Output as _tasks_v1_StartTransfersResponse__Output } from './tasks/v1/StartTransfersResponse.ts';
import type { Task as _tasks_v1_Task, Task__Output as _tasks_v1_Task__Output } from './tasks/v1/Task.ts';
import type { TasksClient as _tasks_v1_TasksClient, TasksDefinition as _tasks_v1_TasksDefinition } from './tasks/v1/Tasks.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tasks: {
    v1: {
      GetTaskRequest: MessageTypeDefinition<_tasks_v1_GetTaskRequest, _tasks_v1_GetTaskRequest__Output>
      Operation: EnumTypeDefinition
      Problem: MessageTypeDefinition<_tasks_v1_Problem, _tasks_v1_Problem__Output>
      Retirement: MessageTypeDefinition<_tasks_v1_Retirement, _tasks_v1_Retirement__Output>
      Selection: MessageTypeDefinition<_tasks_v1_Selection, _tasks_v1_Selection__Output>
      StartTransfer: MessageTypeDefinition<_tasks_v1_StartTransfer, _tasks_v1_StartTransfer__Output>
      StartTransferResult: MessageTypeDefinition<_tasks_v1_StartTransferResult, _tasks_v1_StartTransferResult__Output>
      StartTransfersRequest: MessageTypeDefinition<_tasks_v1_StartTransfersRequest, _tasks_v1_StartTransfersRequest__Output>
      StartTransfersResponse: MessageTypeDefinition<_tasks_v1_StartTransfersResponse, _tasks_v1_StartTransfersResponse__Output>
      Task: MessageTypeDefinition<_tasks_v1_Task, _tasks_v1_Task__Output>
      Tasks: SubtypeConstructor<typeof grpc.Client, _tasks_v1_TasksClient> & { service: _tasks_v1_TasksDefinition }
    }
  }
}

