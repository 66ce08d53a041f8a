// Original file: protos/identity/v1/sessions.proto


export interface CheckSessionRequest {
  'id'?: (string);
  'isUsed'?: (boolean);
}

export interface CheckSessionRequest__Output {
  'id': (string);
  'isUsed': (boolean);
}
