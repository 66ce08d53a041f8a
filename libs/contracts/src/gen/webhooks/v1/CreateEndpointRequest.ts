// Original file: protos/webhooks/v1/webhooks.proto


export interface CreateEndpointRequest {
  'url'?: (string);
  'description'?: (string);
  'eventTypes'?: (string)[];
  'ordered'?: (boolean);
  '_description'?: "description";
}

export interface CreateEndpointRequest__Output {
  'url': (string);
  'description'?: (string);
  'eventTypes': (string)[];
  'ordered': (boolean);
  '_description'?: "description";
}
