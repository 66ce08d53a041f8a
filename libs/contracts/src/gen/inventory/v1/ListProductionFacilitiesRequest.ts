// Original file: protos/inventory/v1/inventory.proto


export interface ListProductionFacilitiesRequest {
}

export interface ListProductionFacilitiesRequest__Output {
}
