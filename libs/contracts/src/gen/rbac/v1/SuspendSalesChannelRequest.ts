// Original file: protos/rbac/v1/rbac.proto


export interface SuspendSalesChannelRequest {
  'salesChannelId'?: (string);
  'reason'?: (string);
}

export interface SuspendSalesChannelRequest__Output {
  'salesChannelId': (string);
  'reason': (string);
}
