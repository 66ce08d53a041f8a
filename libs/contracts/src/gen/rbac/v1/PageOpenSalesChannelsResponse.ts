// Original file: protos/rbac/v1/rbac.proto

import type { OpenSalesChannel as _rbac_v1_OpenSalesChannel, OpenSalesChannel__Output as _rbac_v1_OpenSalesChannel__Output } from '../../rbac/v1/OpenSalesChannel.ts';

export interface PageOpenSalesChannelsResponse {
  'salesChannels'?: (_rbac_v1_OpenSalesChannel)[];
  'next'?: (string);
  'searched'?: (boolean);
  '_next'?: "next";
}

export interface PageOpenSalesChannelsResponse__Output {
  'salesChannels': (_rbac_v1_OpenSalesChannel__Output)[];
  'next'?: (string);
  'searched': (boolean);
  '_next'?: "next";
}
