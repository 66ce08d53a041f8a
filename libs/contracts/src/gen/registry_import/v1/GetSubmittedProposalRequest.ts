// Original file: protos/registry_import/v1/registry_import.proto


export interface GetSubmittedProposalRequest {
  'proposalId'?: (string);
}

export interface GetSubmittedProposalRequest__Output {
  'proposalId': (string);
}
