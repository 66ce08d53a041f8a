// Original file: protos/identity/v1/sessions.proto


export interface EndSessionRequest {
  'id'?: (string);
}

export interface EndSessionRequest__Output {
  'id': (string);
}
