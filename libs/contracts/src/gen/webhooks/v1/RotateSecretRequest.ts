// Original file: protos/webhooks/v1/webhooks.proto


export interface RotateSecretRequest {
  'endpointId'?: (string);
  'overlapHours'?: (number);
}

export interface RotateSecretRequest__Output {
  'endpointId': (string);
  'overlapHours': (number);
}
