// Original file: protos/rbac/v1/rbac.proto


export interface ReplaceSalesChannelResponse {
  'salesChannelId'?: (string);
  'previousSalesChannelId'?: (string);
}

export interface ReplaceSalesChannelResponse__Output {
  'salesChannelId': (string);
  'previousSalesChannelId': (string);
}
