// Original file: protos/rbac/v1/rbac.proto


export interface ListBindingsRequest {
  'limit'?: (number);
  'after'?: (string);
  'salesChannelId'?: (string);
  'userId'?: (string);
  'role'?: (string);
  '_after'?: "after";
  '_salesChannelId'?: "salesChannelId";
  '_userId'?: "userId";
  '_role'?: "role";
}

export interface ListBindingsRequest__Output {
  'limit': (number);
  'after'?: (string);
  'salesChannelId'?: (string);
  'userId'?: (string);
  'role'?: (string);
  '_after'?: "after";
  '_salesChannelId'?: "salesChannelId";
  '_userId'?: "userId";
  '_role'?: "role";
}
