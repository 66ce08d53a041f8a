// Original file: protos/rbac/v1/rbac.proto


export interface CloseSalesChannelRequest {
  'salesChannelId'?: (string);
  'reason'?: (string);
}

export interface CloseSalesChannelRequest__Output {
  'salesChannelId': (string);
  'reason': (string);
}
