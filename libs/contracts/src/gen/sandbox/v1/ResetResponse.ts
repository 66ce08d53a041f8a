// Original file: protos/sandbox/v1/sandbox.proto


export interface ResetResponse {
  'salesChannelId'?: (string);
  'previousSalesChannelId'?: (string);
}

export interface ResetResponse__Output {
  'salesChannelId': (string);
  'previousSalesChannelId': (string);
}
