// Original file: protos/identity/v1/identity.proto


export interface AuthenticateResponse {
  'principalToken'?: (string);
  'goodForMs'?: (number);
}

export interface AuthenticateResponse__Output {
  'principalToken': (string);
  'goodForMs': (number);
}
