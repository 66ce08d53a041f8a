// Original file: protos/webhooks/v1/webhooks.proto


export interface DeleteEndpointRequest {
  'endpointId'?: (string);
}

export interface DeleteEndpointRequest__Output {
  'endpointId': (string);
}
