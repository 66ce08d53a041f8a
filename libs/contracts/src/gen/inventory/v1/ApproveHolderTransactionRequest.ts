// Original file: protos/inventory/v1/inventory.proto


export interface ApproveHolderTransactionRequest {
  'transactionId'?: (string);
}

export interface ApproveHolderTransactionRequest__Output {
  'transactionId': (string);
}
