// Original file: protos/identity/v1/identity.proto


export interface IntroduceUserRequest {
  'issuer'?: (string);
  'subject'?: (string);
}

export interface IntroduceUserRequest__Output {
  'issuer': (string);
  'subject': (string);
}
