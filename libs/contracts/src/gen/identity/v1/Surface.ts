// Original file: protos/identity/v1/identity.proto

export const Surface = {
  SALES_CHANNEL: 'SALES_CHANNEL',
  REGISTRY: 'REGISTRY',
} as const;

export type Surface =
  | 'SALES_CHANNEL'
  | 0
  | 'REGISTRY'
  | 1

export type Surface__Output = typeof Surface[keyof typeof Surface]
