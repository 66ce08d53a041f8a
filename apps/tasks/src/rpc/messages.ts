/** The generated messages that this service speaks in, under short names. */
export type { GetTaskRequest__Output } from '@saleschannel/contracts/gen/tasks/v1/GetTaskRequest';
export type { StartTransfer__Output } from '@saleschannel/contracts/gen/tasks/v1/StartTransfer';
export type { StartTransferResult } from '@saleschannel/contracts/gen/tasks/v1/StartTransferResult';
export type { Task } from '@saleschannel/contracts/gen/tasks/v1/Task';
