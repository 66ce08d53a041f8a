// Original file: protos/rbac/v1/rbac.proto

import type { SalesChannel as _rbac_v1_SalesChannel, SalesChannel__Output as _rbac_v1_SalesChannel__Output } from '../../rbac/v1/SalesChannel.ts';

export interface GetSalesChannelsResponse {
  'salesChannels'?: (_rbac_v1_SalesChannel)[];
}

export interface GetSalesChannelsResponse__Output {
  'salesChannels': (_rbac_v1_SalesChannel__Output)[];
}
