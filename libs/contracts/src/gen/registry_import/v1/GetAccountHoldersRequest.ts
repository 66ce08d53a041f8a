// Original file: protos/registry_import/v1/registry_import.proto


export interface GetAccountHoldersRequest {
  'accountHolderIds'?: (string)[];
}

export interface GetAccountHoldersRequest__Output {
  'accountHolderIds': (string)[];
}
