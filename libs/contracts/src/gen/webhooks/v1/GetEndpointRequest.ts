// Original file: protos/webhooks/v1/webhooks.proto


export interface GetEndpointRequest {
  'endpointId'?: (string);
}

export interface GetEndpointRequest__Output {
  'endpointId': (string);
}
