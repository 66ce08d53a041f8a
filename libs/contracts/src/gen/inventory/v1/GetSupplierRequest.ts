// Original file: protos/inventory/v1/inventory.proto


export interface GetSupplierRequest {
  'supplierId'?: (string);
}

export interface GetSupplierRequest__Output {
  'supplierId': (string);
}
