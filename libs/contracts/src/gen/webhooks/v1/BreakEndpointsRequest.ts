// Original file: protos/webhooks/v1/webhooks.proto


export interface BreakEndpointsRequest {
  'endpointId'?: (string);
  'fault'?: (string);
  'seconds'?: (number);
  '_endpointId'?: "endpointId";
}

export interface BreakEndpointsRequest__Output {
  'endpointId'?: (string);
  'fault': (string);
  'seconds': (number);
  '_endpointId'?: "endpointId";
}
