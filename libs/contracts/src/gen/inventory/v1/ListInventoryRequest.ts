// Original file: protos/inventory/v1/inventory.proto


export interface ListInventoryRequest {
  'traderId'?: (string);
}

export interface ListInventoryRequest__Output {
  'traderId': (string);
}
