// Original file: protos/inventory/v1/inventory.proto


export interface ReconcileRequest {
  'salesChannelId'?: (string);
  'onlyLook'?: (boolean);
  '_salesChannelId'?: "salesChannelId";
}

export interface ReconcileRequest__Output {
  'salesChannelId'?: (string);
  'onlyLook': (boolean);
  '_salesChannelId'?: "salesChannelId";
}
