// Original file: protos/webhooks/v1/webhooks.proto


export interface BreakEndpointsResponse {
  'endpointIds'?: (string)[];
  'until'?: (string);
}

export interface BreakEndpointsResponse__Output {
  'endpointIds': (string)[];
  'until': (string);
}
