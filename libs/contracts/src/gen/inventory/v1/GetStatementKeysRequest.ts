// Original file: protos/inventory/v1/inventory.proto


export interface GetStatementKeysRequest {
}

export interface GetStatementKeysRequest__Output {
}
