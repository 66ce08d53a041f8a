// Original file: protos/rbac/v1/rbac.proto


export interface SalesChannel {
  'id'?: (string);
  'name'?: (string);
  'status'?: (string);
  'suspendedAt'?: (string);
  'suspendedReason'?: (string);
  '_suspendedAt'?: "suspendedAt";
  '_suspendedReason'?: "suspendedReason";
}

export interface SalesChannel__Output {
  'id': (string);
  'name': (string);
  'status': (string);
  'suspendedAt'?: (string);
  'suspendedReason'?: (string);
  '_suspendedAt'?: "suspendedAt";
  '_suspendedReason'?: "suspendedReason";
}
