// Original file: protos/common/v1/page.proto


export interface ListOrder {
  'by'?: (string);
  'descending'?: (boolean);
}

export interface ListOrder__Output {
  'by': (string);
  'descending': (boolean);
}
