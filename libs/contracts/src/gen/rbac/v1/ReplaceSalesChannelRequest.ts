// Original file: protos/rbac/v1/rbac.proto


export interface ReplaceSalesChannelRequest {
}

export interface ReplaceSalesChannelRequest__Output {
}
