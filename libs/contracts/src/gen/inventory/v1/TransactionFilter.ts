// Original file: protos/inventory/v1/inventory.proto

import type { TimeBounds as _common_v1_TimeBounds, TimeBounds__Output as _common_v1_TimeBounds__Output } from '../../common/v1/TimeBounds.ts';

export interface TransactionFilter {
  'type'?: (string);
  'status'?: (string);
  'traderId'?: (string);
  'createdAt'?: (_common_v1_TimeBounds | null);
  'externalReference'?: (string);
  'metadata'?: ({[key: string]: string});
  '_type'?: "type";
  '_status'?: "status";
  '_traderId'?: "traderId";
  '_externalReference'?: "externalReference";
}

export interface TransactionFilter__Output {
  'type'?: (string);
  'status'?: (string);
  'traderId'?: (string);
  'createdAt': (_common_v1_TimeBounds__Output | null);
  'externalReference'?: (string);
  'metadata': ({[key: string]: string});
  '_type'?: "type";
  '_status'?: "status";
  '_traderId'?: "traderId";
  '_externalReference'?: "externalReference";
}
