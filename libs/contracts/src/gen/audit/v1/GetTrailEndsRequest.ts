// Original file: protos/audit/v1/audit.proto


export interface GetTrailEndsRequest {
  'scopes'?: (string)[];
}

export interface GetTrailEndsRequest__Output {
  'scopes': (string)[];
}
