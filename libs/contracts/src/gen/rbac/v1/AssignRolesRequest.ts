// Original file: protos/rbac/v1/rbac.proto


export interface AssignRolesRequest {
  'userId'?: (string);
  'salesChannelId'?: (string);
  'roles'?: (string)[];
}

export interface AssignRolesRequest__Output {
  'userId': (string);
  'salesChannelId': (string);
  'roles': (string)[];
}
