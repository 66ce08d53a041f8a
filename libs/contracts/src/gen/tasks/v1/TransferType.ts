// Original file: protos/tasks/v1/tasks.proto

export const TransferType = {
  TRANSFER_TYPE_UNSPECIFIED: 'TRANSFER_TYPE_UNSPECIFIED',
  TRANSFER_TYPE_TRADE: 'TRANSFER_TYPE_TRADE',
  TRANSFER_TYPE_RETIREMENT: 'TRANSFER_TYPE_RETIREMENT',
  TRANSFER_TYPE_OFFRAMP: 'TRANSFER_TYPE_OFFRAMP',
} as const;

export type TransferType =
  | 'TRANSFER_TYPE_UNSPECIFIED'
  | 0
  | 'TRANSFER_TYPE_TRADE'
  | 1
  | 'TRANSFER_TYPE_RETIREMENT'
  | 2
  | 'TRANSFER_TYPE_OFFRAMP'
  | 3

export type TransferType__Output = typeof TransferType[keyof typeof TransferType]
