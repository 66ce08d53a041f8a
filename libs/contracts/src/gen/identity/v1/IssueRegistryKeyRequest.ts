// Original file: protos/identity/v1/identity.proto


export interface IssueRegistryKeyRequest {
  'accountHolderId'?: (string);
  'expiresAt'?: (string);
}

export interface IssueRegistryKeyRequest__Output {
  'accountHolderId': (string);
  'expiresAt': (string);
}
