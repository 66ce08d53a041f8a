// Original file: protos/rbac/v1/rbac.proto


export interface ListSalesChannelsRequest {
}

export interface ListSalesChannelsRequest__Output {
}
