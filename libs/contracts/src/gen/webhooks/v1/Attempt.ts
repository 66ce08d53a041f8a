// Original file: protos/webhooks/v1/webhooks.proto


export interface Attempt {
  'number'?: (number);
  'startedAt'?: (string);
  'durationMs'?: (number);
  'statusCode'?: (number);
  'error'?: (string);
  'answer'?: (string);
  '_statusCode'?: "statusCode";
  '_error'?: "error";
  '_answer'?: "answer";
}

export interface Attempt__Output {
  'number': (number);
  'startedAt': (string);
  'durationMs': (number);
  'statusCode'?: (number);
  'error'?: (string);
  'answer'?: (string);
  '_statusCode'?: "statusCode";
  '_error'?: "error";
  '_answer'?: "answer";
}
