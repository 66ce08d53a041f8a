// Original file: protos/common/v1/count.proto


export interface Count {
  'count'?: (number);
  'isMore'?: (boolean);
}

export interface Count__Output {
  'count': (number);
  'isMore': (boolean);
}
