// Original file: protos/inventory/v1/inventory.proto


export interface ApproveTransactionRequest {
  'transactionId'?: (string);
}

export interface ApproveTransactionRequest__Output {
  'transactionId': (string);
}
