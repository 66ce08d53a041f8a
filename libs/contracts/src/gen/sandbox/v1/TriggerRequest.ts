// Original file: protos/sandbox/v1/sandbox.proto


export interface TriggerRequest {
  'kind'?: (string);
}

export interface TriggerRequest__Output {
  'kind': (string);
}
