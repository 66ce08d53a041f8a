// Original file: protos/registry_import/v1/registry_import.proto


export interface GetOwnHolderRequest {
}

export interface GetOwnHolderRequest__Output {
}
