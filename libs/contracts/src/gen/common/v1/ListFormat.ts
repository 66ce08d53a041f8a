// Original file: protos/common/v1/page.proto

export const ListFormat = {
  LIST_FORMAT_UNSPECIFIED: 'LIST_FORMAT_UNSPECIFIED',
  LIST_FORMAT_CSV: 'LIST_FORMAT_CSV',
} as const;

export type ListFormat =
  | 'LIST_FORMAT_UNSPECIFIED'
  | 0
  | 'LIST_FORMAT_CSV'
  | 1

export type ListFormat__Output = typeof ListFormat[keyof typeof ListFormat]
