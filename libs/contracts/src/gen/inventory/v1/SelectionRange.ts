// Original file: protos/inventory/v1/inventory.proto


export interface SelectionRange {
  'start'?: (string);
  'end'?: (string);
}

export interface SelectionRange__Output {
  'start': (string);
  'end': (string);
}
