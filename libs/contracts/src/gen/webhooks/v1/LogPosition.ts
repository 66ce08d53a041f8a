// Original file: protos/webhooks/v1/webhooks.proto


export interface LogPosition {
  'eventId'?: (string);
  'createdAt'?: (string);
}

export interface LogPosition__Output {
  'eventId': (string);
  'createdAt': (string);
}
