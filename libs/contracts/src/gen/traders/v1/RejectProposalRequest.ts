// Original file: protos/traders/v1/traders.proto


export interface RejectProposalRequest {
  'proposalId'?: (string);
}

export interface RejectProposalRequest__Output {
  'proposalId': (string);
}
