// Original file: protos/registry_import/v1/registry_import.proto


export interface SetKindRequest {
  'accountHolderId'?: (string);
  'kind'?: (string);
}

export interface SetKindRequest__Output {
  'accountHolderId': (string);
  'kind': (string);
}
