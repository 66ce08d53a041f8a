// Original file: protos/traders/v1/traders.proto

import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';

export interface PageProposalsResponse {
  'proposals'?: (_traders_v1_Proposal)[];
  'next'?: (string);
  'searched'?: (boolean);
  '_next'?: "next";
}

export interface PageProposalsResponse__Output {
  'proposals': (_traders_v1_Proposal__Output)[];
  'next'?: (string);
  'searched': (boolean);
  '_next'?: "next";
}
