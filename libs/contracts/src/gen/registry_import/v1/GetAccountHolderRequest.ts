// Original file: protos/registry_import/v1/registry_import.proto


export interface GetAccountHolderRequest {
  'accountHolderId'?: (string);
}

export interface GetAccountHolderRequest__Output {
  'accountHolderId': (string);
}
