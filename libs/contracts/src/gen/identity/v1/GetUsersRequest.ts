// Original file: protos/identity/v1/identity.proto


export interface GetUsersRequest {
  'userIds'?: (string)[];
}

export interface GetUsersRequest__Output {
  'userIds': (string)[];
}
