// Original file: protos/identity/v1/identity.proto


export interface IssueApiKeyRequest {
  'userId'?: (string);
}

export interface IssueApiKeyRequest__Output {
  'userId': (string);
}
