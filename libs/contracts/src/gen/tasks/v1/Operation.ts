// Original file: protos/tasks/v1/tasks.proto

export const Operation = {
  TRADE: 'TRADE',
  RETIREMENT: 'RETIREMENT',
  OFFRAMP: 'OFFRAMP',
} as const;

export type Operation =
  | 'TRADE'
  | 0
  | 'RETIREMENT'
  | 1
  | 'OFFRAMP'
  | 2

export type Operation__Output = typeof Operation[keyof typeof Operation]
