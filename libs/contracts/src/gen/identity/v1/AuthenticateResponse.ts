// Original file: protos/identity/v1/identity.proto


export interface AuthenticateResponse {
  'principalToken'?: (string);
}

export interface AuthenticateResponse__Output {
  'principalToken': (string);
}
