// Original file: protos/identity/v1/identity.proto


export interface EndUserSessionsRequest {
  'userId'?: (string);
  'reason'?: (string);
}

export interface EndUserSessionsRequest__Output {
  'userId': (string);
  'reason': (string);
}
