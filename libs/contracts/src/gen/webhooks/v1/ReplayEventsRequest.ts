// Original file: protos/webhooks/v1/webhooks.proto


export interface ReplayEventsRequest {
  'endpointId'?: (string);
  'from'?: (string);
  'to'?: (string);
  'failedOnly'?: (boolean);
  '_to'?: "to";
}

export interface ReplayEventsRequest__Output {
  'endpointId': (string);
  'from': (string);
  'to'?: (string);
  'failedOnly': (boolean);
  '_to'?: "to";
}
