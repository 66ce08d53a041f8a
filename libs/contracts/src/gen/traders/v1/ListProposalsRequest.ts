// Original file: protos/traders/v1/traders.proto


export interface ListProposalsRequest {
}

export interface ListProposalsRequest__Output {
}
