// Original file: protos/rbac/v1/rbac.proto


export interface SalesChannel {
  'id'?: (string);
  'name'?: (string);
  'status'?: (string);
  'suspendedAt'?: (string);
  'suspendedReason'?: (string);
  'closedAt'?: (string);
  'closedReason'?: (string);
  '_suspendedAt'?: "suspendedAt";
  '_suspendedReason'?: "suspendedReason";
  '_closedAt'?: "closedAt";
  '_closedReason'?: "closedReason";
}

export interface SalesChannel__Output {
  'id': (string);
  'name': (string);
  'status': (string);
  'suspendedAt'?: (string);
  'suspendedReason'?: (string);
  'closedAt'?: (string);
  'closedReason'?: (string);
  '_suspendedAt'?: "suspendedAt";
  '_suspendedReason'?: "suspendedReason";
  '_closedAt'?: "closedAt";
  '_closedReason'?: "closedReason";
}
