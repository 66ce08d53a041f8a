// Original file: protos/traders/v1/traders.proto

import type { Address as _traders_v1_Address, Address__Output as _traders_v1_Address__Output } from '../../traders/v1/Address.ts';

export interface Trader {
  'id'?: (string);
  'businessId'?: (string);
  'name'?: (string);
  'address'?: (_traders_v1_Address | null);
}

export interface Trader__Output {
  'id': (string);
  'businessId': (string);
  'name': (string);
  'address': (_traders_v1_Address__Output | null);
}
