// Original file: protos/rbac/v1/rbac.proto


export interface GetSalesChannelRequest {
  'salesChannelId'?: (string);
}

export interface GetSalesChannelRequest__Output {
  'salesChannelId': (string);
}
