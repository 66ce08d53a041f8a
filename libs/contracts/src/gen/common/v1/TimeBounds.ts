// Original file: protos/common/v1/page.proto


export interface TimeBounds {
  'gt'?: (string);
  'gte'?: (string);
  'lt'?: (string);
  'lte'?: (string);
  '_gt'?: "gt";
  '_gte'?: "gte";
  '_lt'?: "lt";
  '_lte'?: "lte";
}

export interface TimeBounds__Output {
  'gt'?: (string);
  'gte'?: (string);
  'lt'?: (string);
  'lte'?: (string);
  '_gt'?: "gt";
  '_gte'?: "gte";
  '_lt'?: "lt";
  '_lte'?: "lte";
}
