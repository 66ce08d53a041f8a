// Original file: protos/inventory/v1/inventory.proto


export interface GetStatementRequest {
  'id'?: (string);
}

export interface GetStatementRequest__Output {
  'id': (string);
}
