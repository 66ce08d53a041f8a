// Original file: protos/identity/v1/identity.proto


export interface IntroduceUserResponse {
  'userId'?: (string);
}

export interface IntroduceUserResponse__Output {
  'userId': (string);
}
