// Original file: protos/webhooks/v1/webhooks.proto


export interface TestEndpointRequest {
  'endpointId'?: (string);
}

export interface TestEndpointRequest__Output {
  'endpointId': (string);
}
