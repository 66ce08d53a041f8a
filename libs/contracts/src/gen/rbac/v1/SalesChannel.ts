// Original file: protos/rbac/v1/rbac.proto


export interface SalesChannel {
  'id'?: (string);
  'name'?: (string);
}

export interface SalesChannel__Output {
  'id': (string);
  'name': (string);
}
