// Original file: protos/rbac/v1/rbac.proto


export interface Invitation {
  'id'?: (string);
  'email'?: (string);
  'roles'?: (string)[];
  'createdOn'?: (string);
  'expiresAt'?: (string);
  'createdBy'?: (string);
  'status'?: (string);
  'acceptedBy'?: (string);
  '_email'?: "email";
  '_acceptedBy'?: "acceptedBy";
}

export interface Invitation__Output {
  'id': (string);
  'email'?: (string);
  'roles': (string)[];
  'createdOn': (string);
  'expiresAt': (string);
  'createdBy': (string);
  'status': (string);
  'acceptedBy'?: (string);
  '_email'?: "email";
  '_acceptedBy'?: "acceptedBy";
}
