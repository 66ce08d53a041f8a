// Original file: protos/identity/v1/identity.proto

export const Surface = {
  SURFACE_UNSPECIFIED: 'SURFACE_UNSPECIFIED',
  SURFACE_SALES_CHANNEL: 'SURFACE_SALES_CHANNEL',
  SURFACE_REGISTRY: 'SURFACE_REGISTRY',
} as const;

export type Surface =
  | 'SURFACE_UNSPECIFIED'
  | 0
  | 'SURFACE_SALES_CHANNEL'
  | 1
  | 'SURFACE_REGISTRY'
  | 2

export type Surface__Output = typeof Surface[keyof typeof Surface]
