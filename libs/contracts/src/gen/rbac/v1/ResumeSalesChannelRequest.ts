// Original file: protos/rbac/v1/rbac.proto


export interface ResumeSalesChannelRequest {
  'salesChannelId'?: (string);
}

export interface ResumeSalesChannelRequest__Output {
  'salesChannelId': (string);
}
