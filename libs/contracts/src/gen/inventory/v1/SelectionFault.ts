// Original file: protos/inventory/v1/inventory.proto


export interface SelectionFault {
  'index'?: (number);
  'field'?: (string);
  'code'?: (string);
  'detail'?: (string);
}

export interface SelectionFault__Output {
  'index': (number);
  'field': (string);
  'code': (string);
  'detail': (string);
}
