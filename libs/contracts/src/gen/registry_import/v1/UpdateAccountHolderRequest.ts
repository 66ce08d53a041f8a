// Original file: protos/registry_import/v1/registry_import.proto


export interface UpdateAccountHolderRequest {
  'accountHolderId'?: (string);
  'mergePatchJson'?: (string);
}

export interface UpdateAccountHolderRequest__Output {
  'accountHolderId': (string);
  'mergePatchJson': (string);
}
