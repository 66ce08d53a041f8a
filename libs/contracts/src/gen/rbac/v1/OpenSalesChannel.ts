// Original file: protos/rbac/v1/rbac.proto


export interface OpenSalesChannel {
  'id'?: (string);
  'name'?: (string);
}

export interface OpenSalesChannel__Output {
  'id': (string);
  'name': (string);
}
