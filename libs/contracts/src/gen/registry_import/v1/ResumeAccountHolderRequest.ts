// Original file: protos/registry_import/v1/registry_import.proto


export interface ResumeAccountHolderRequest {
  'accountHolderId'?: (string);
}

export interface ResumeAccountHolderRequest__Output {
  'accountHolderId': (string);
}
