// Original file: protos/common/v1/period.proto


export interface Period {
  'start'?: (string);
  'end'?: (string);
}

export interface Period__Output {
  'start': (string);
  'end': (string);
}
