// Original file: protos/events/v1/events.proto


export interface StreamEventsRequest {
  'after'?: (string);
  '_after'?: "after";
}

export interface StreamEventsRequest__Output {
  'after'?: (string);
  '_after'?: "after";
}
