// Original file: protos/inventory/v1/inventory.proto


export interface RepeatableRequest {
  'scope'?: (string);
  'key'?: (string);
  'digest'?: (string);
}

export interface RepeatableRequest__Output {
  'scope': (string);
  'key': (string);
  'digest': (string);
}
