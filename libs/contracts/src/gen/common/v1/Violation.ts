// Original file: protos/common/v1/problem.proto


export interface Violation {
  'pointer'?: (string);
  'parameter'?: (string);
  'detail'?: (string);
  'code'?: (string);
  '_pointer'?: "pointer";
  '_parameter'?: "parameter";
}

export interface Violation__Output {
  'pointer'?: (string);
  'parameter'?: (string);
  'detail': (string);
  'code': (string);
  '_pointer'?: "pointer";
  '_parameter'?: "parameter";
}
