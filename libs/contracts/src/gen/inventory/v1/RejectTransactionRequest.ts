// Original file: protos/inventory/v1/inventory.proto


export interface RejectTransactionRequest {
  'transactionId'?: (string);
}

export interface RejectTransactionRequest__Output {
  'transactionId': (string);
}
