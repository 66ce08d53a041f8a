// Original file: protos/traders/v1/traders.proto

import type { Address as _traders_v1_Address, Address__Output as _traders_v1_Address__Output } from '../../traders/v1/Address.ts';

export interface SubmitHolderProposalRequest {
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
  'name'?: (string);
  'businessId'?: (string);
  'address'?: (_traders_v1_Address | null);
}

export interface SubmitHolderProposalRequest__Output {
  'accountHolderId': (string);
  'salesChannelId': (string);
  'name': (string);
  'businessId': (string);
  'address': (_traders_v1_Address__Output | null);
}
