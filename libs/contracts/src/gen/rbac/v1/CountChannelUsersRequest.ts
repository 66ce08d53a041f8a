// Original file: protos/rbac/v1/rbac.proto


export interface CountChannelUsersRequest {
  'salesChannelId'?: (string);
}

export interface CountChannelUsersRequest__Output {
  'salesChannelId': (string);
}
