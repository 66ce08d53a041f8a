// Original file: protos/tasks/v1/tasks.proto


export interface Problem {
  'code'?: (string);
  'detail'?: (string);
  'violationsJson'?: (string);
}

export interface Problem__Output {
  'code': (string);
  'detail': (string);
  'violationsJson': (string);
}
