// Original file: protos/inventory/v1/inventory.proto


export interface ListTransactionsRequest {
}

export interface ListTransactionsRequest__Output {
}
