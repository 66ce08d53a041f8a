// Original file: protos/events/v1/events.proto


export interface ReadLogRequest {
  'salesChannelId'?: (string);
  'after'?: (string);
  'before'?: (string);
  'limit'?: (number);
  'withPrevious'?: (boolean);
  '_after'?: "after";
  '_before'?: "before";
}

export interface ReadLogRequest__Output {
  'salesChannelId': (string);
  'after'?: (string);
  'before'?: (string);
  'limit': (number);
  'withPrevious': (boolean);
  '_after'?: "after";
  '_before'?: "before";
}
