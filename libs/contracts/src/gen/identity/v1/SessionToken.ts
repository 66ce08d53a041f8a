// Original file: protos/identity/v1/sessions.proto


export interface SessionToken {
  'sha256'?: (string);
  'expiresAt'?: (string);
}

export interface SessionToken__Output {
  'sha256': (string);
  'expiresAt': (string);
}
