// Original file: protos/rbac/v1/rbac.proto


export interface GetSalesChannelsRequest {
  'salesChannelIds'?: (string)[];
}

export interface GetSalesChannelsRequest__Output {
  'salesChannelIds': (string)[];
}
