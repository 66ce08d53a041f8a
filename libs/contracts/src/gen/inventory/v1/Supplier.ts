// Original file: protos/inventory/v1/inventory.proto


export interface Supplier {
  'id'?: (string);
  'name'?: (string);
  'countryCode'?: (string);
}

export interface Supplier__Output {
  'id': (string);
  'name': (string);
  'countryCode': (string);
}
