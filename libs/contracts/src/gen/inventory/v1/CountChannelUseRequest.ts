// Original file: protos/inventory/v1/inventory.proto


export interface CountChannelUseRequest {
  'salesChannelId'?: (string);
}

export interface CountChannelUseRequest__Output {
  'salesChannelId': (string);
}
