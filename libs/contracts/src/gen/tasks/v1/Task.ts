// Original file: protos/tasks/v1/tasks.proto


export interface Task {
  'id'?: (string);
  'status'?: (string);
  'idempotencyKey'?: (string);
  'message'?: (string);
  'transactionId'?: (string);
  '_transactionId'?: "transactionId";
}

export interface Task__Output {
  'id': (string);
  'status': (string);
  'idempotencyKey': (string);
  'message': (string);
  'transactionId'?: (string);
  '_transactionId'?: "transactionId";
}
