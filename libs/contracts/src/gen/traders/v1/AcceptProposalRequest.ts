// Original file: protos/traders/v1/traders.proto


export interface AcceptProposalRequest {
  'proposalId'?: (string);
}

export interface AcceptProposalRequest__Output {
  'proposalId': (string);
}
