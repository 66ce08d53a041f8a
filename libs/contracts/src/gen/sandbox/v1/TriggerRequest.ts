// Original file: protos/sandbox/v1/sandbox.proto


export interface TriggerRequest {
  'kind'?: (string);
  'webhookEndpointId'?: (string);
  'seconds'?: (number);
  '_webhookEndpointId'?: "webhookEndpointId";
  '_seconds'?: "seconds";
}

export interface TriggerRequest__Output {
  'kind': (string);
  'webhookEndpointId'?: (string);
  'seconds'?: (number);
  '_webhookEndpointId'?: "webhookEndpointId";
  '_seconds'?: "seconds";
}
