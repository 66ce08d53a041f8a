// Original file: protos/registry_import/v1/registry_import.proto


export interface SuspendAccountHolderRequest {
  'accountHolderId'?: (string);
  'reason'?: (string);
}

export interface SuspendAccountHolderRequest__Output {
  'accountHolderId': (string);
  'reason': (string);
}
