// Original file: protos/inventory/v1/inventory.proto


// Original file: protos/inventory/v1/inventory.proto

export const _inventory_v1_DecideTransactionRequest_Decision = {
  APPROVE: 'APPROVE',
  REJECT: 'REJECT',
} as const;

export type _inventory_v1_DecideTransactionRequest_Decision =
  | 'APPROVE'
  | 0
  | 'REJECT'
  | 1

export type _inventory_v1_DecideTransactionRequest_Decision__Output = typeof _inventory_v1_DecideTransactionRequest_Decision[keyof typeof _inventory_v1_DecideTransactionRequest_Decision]

export interface DecideTransactionRequest {
  'transactionId'?: (string);
  'decision'?: (_inventory_v1_DecideTransactionRequest_Decision);
}

export interface DecideTransactionRequest__Output {
  'transactionId': (string);
  'decision': (_inventory_v1_DecideTransactionRequest_Decision__Output);
}
