// Original file: protos/inventory/v1/inventory.proto


export interface GetTransactionDetailRequest {
  'transactionId'?: (string);
}

export interface GetTransactionDetailRequest__Output {
  'transactionId': (string);
}
