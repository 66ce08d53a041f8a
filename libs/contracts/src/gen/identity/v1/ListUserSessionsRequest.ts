// Original file: protos/identity/v1/identity.proto


export interface ListUserSessionsRequest {
  'userId'?: (string);
}

export interface ListUserSessionsRequest__Output {
  'userId': (string);
}
