// Original file: protos/rbac/v1/rbac.proto


export interface CreateSalesChannelRequest {
  'name'?: (string);
}

export interface CreateSalesChannelRequest__Output {
  'name': (string);
}
