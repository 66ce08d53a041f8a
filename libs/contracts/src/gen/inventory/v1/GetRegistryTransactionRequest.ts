// Original file: protos/inventory/v1/inventory.proto


export interface GetRegistryTransactionRequest {
  'transactionId'?: (string);
}

export interface GetRegistryTransactionRequest__Output {
  'transactionId': (string);
}
