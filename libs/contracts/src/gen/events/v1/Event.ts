// Original file: protos/events/v1/events.proto


export interface Event {
  'id'?: (string);
  'eventType'?: (string);
  'createdAt'?: (string);
  'eventAt'?: (string);
  'transactionId'?: (string);
  'status'?: (string);
}

export interface Event__Output {
  'id': (string);
  'eventType': (string);
  'createdAt': (string);
  'eventAt': (string);
  'transactionId': (string);
  'status': (string);
}
