// Original file: protos/traders/v1/traders.proto


export interface ListProposalsRequest {
  'status'?: (string);
  '_status'?: "status";
}

export interface ListProposalsRequest__Output {
  'status'?: (string);
  '_status'?: "status";
}
