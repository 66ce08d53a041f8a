// Original file: protos/inventory/v1/inventory.proto


export interface GetTransactionRequest {
  'transactionId'?: (string);
}

export interface GetTransactionRequest__Output {
  'transactionId': (string);
}
