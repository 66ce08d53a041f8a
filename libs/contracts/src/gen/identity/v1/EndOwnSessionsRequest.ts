// Original file: protos/identity/v1/identity.proto


export interface EndOwnSessionsRequest {
  'id'?: (string);
  'others'?: (boolean);
  'tokenSha256'?: (string);
  '_id'?: "id";
  '_tokenSha256'?: "tokenSha256";
}

export interface EndOwnSessionsRequest__Output {
  'id'?: (string);
  'others': (boolean);
  'tokenSha256'?: (string);
  '_id'?: "id";
  '_tokenSha256'?: "tokenSha256";
}
