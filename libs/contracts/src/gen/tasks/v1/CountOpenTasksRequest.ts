// Original file: protos/tasks/v1/tasks.proto


export interface CountOpenTasksRequest {
  'salesChannelId'?: (string);
}

export interface CountOpenTasksRequest__Output {
  'salesChannelId': (string);
}
