// Original file: protos/traders/v1/traders.proto

import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';
import type { Long } from '@grpc/proto-loader';

export interface PageSubmittedProposalsResponse {
  'total'?: (number | string | Long);
  'proposals'?: (_traders_v1_Proposal)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface PageSubmittedProposalsResponse__Output {
  'total': (string);
  'proposals': (_traders_v1_Proposal__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
