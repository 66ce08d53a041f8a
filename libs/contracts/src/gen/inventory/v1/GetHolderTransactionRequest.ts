// Original file: protos/inventory/v1/inventory.proto


export interface GetHolderTransactionRequest {
  'transactionId'?: (string);
}

export interface GetHolderTransactionRequest__Output {
  'transactionId': (string);
}
