// Original file: protos/registry_import/v1/registry_import.proto


export interface SubmitHolderProposalRequest {
  'salesChannelId'?: (string);
}

export interface SubmitHolderProposalRequest__Output {
  'salesChannelId': (string);
}
