// Original file: protos/inventory/v1/inventory.proto


export interface Period {
  'start'?: (string);
  'end'?: (string);
}

export interface Period__Output {
  'start': (string);
  'end': (string);
}
