// Original file: protos/traders/v1/traders.proto


export interface FindSubmittedProposalRequest {
  'proposalId'?: (string);
}

export interface FindSubmittedProposalRequest__Output {
  'proposalId': (string);
}
