// Original file: protos/common/v1/gathered_calls.proto


export interface GatheredCall {
  'path'?: (string);
  'request'?: (Buffer | Uint8Array | string);
  'timeoutMs'?: (number);
  'principalToken'?: (string);
  'requestId'?: (string);
  'clientAddress'?: (string);
  'traceparent'?: (string);
  'operator'?: (string);
  '_principalToken'?: "principalToken";
  '_requestId'?: "requestId";
  '_clientAddress'?: "clientAddress";
  '_traceparent'?: "traceparent";
  '_operator'?: "operator";
}

export interface GatheredCall__Output {
  'path': (string);
  'request': (Buffer);
  'timeoutMs': (number);
  'principalToken'?: (string);
  'requestId'?: (string);
  'clientAddress'?: (string);
  'traceparent'?: (string);
  'operator'?: (string);
  '_principalToken'?: "principalToken";
  '_requestId'?: "requestId";
  '_clientAddress'?: "clientAddress";
  '_traceparent'?: "traceparent";
  '_operator'?: "operator";
}
