// Original file: protos/events/v1/events.proto


export interface LogHead {
  'salesChannelId'?: (string);
  'createdAt'?: (string);
}

export interface LogHead__Output {
  'salesChannelId': (string);
  'createdAt': (string);
}
