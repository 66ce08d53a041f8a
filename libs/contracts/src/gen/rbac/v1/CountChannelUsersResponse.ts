// Original file: protos/rbac/v1/rbac.proto

import type { Count as _common_v1_Count, Count__Output as _common_v1_Count__Output } from '../../common/v1/Count.ts';

export interface CountChannelUsersResponse {
  'users'?: (_common_v1_Count | null);
  'invitations'?: (_common_v1_Count | null);
}

export interface CountChannelUsersResponse__Output {
  'users': (_common_v1_Count__Output | null);
  'invitations': (_common_v1_Count__Output | null);
}
