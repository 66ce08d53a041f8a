// Original file: protos/registry_import/v1/registry_import.proto


export interface SubmitProposalRequest {
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
}

export interface SubmitProposalRequest__Output {
  'accountHolderId': (string);
  'salesChannelId': (string);
}
