// Original file: protos/identity/v1/identity.proto


export interface ListOwnSessionsRequest {
  'tokenSha256'?: (string);
  '_tokenSha256'?: "tokenSha256";
}

export interface ListOwnSessionsRequest__Output {
  'tokenSha256'?: (string);
  '_tokenSha256'?: "tokenSha256";
}
