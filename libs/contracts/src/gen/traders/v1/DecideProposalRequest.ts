// Original file: protos/traders/v1/traders.proto


export interface DecideProposalRequest {
  'proposalId'?: (string);
}

export interface DecideProposalRequest__Output {
  'proposalId': (string);
}
