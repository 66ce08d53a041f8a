// Original file: protos/inventory/v1/inventory.proto


export interface RejectHolderTransactionRequest {
  'transactionId'?: (string);
}

export interface RejectHolderTransactionRequest__Output {
  'transactionId': (string);
}
