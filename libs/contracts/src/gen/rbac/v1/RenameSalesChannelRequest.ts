// Original file: protos/rbac/v1/rbac.proto


export interface RenameSalesChannelRequest {
  'salesChannelId'?: (string);
  'name'?: (string);
  'reason'?: (string);
}

export interface RenameSalesChannelRequest__Output {
  'salesChannelId': (string);
  'name': (string);
  'reason': (string);
}
