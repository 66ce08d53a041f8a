// Original file: protos/inventory/v1/inventory.proto

import type { Issuance as _inventory_v1_Issuance, Issuance__Output as _inventory_v1_Issuance__Output } from '../../inventory/v1/Issuance.ts';
import type { Actor as _common_v1_Actor, Actor__Output as _common_v1_Actor__Output } from '../../common/v1/Actor.ts';
import type { RepeatableRequest as _inventory_v1_RepeatableRequest, RepeatableRequest__Output as _inventory_v1_RepeatableRequest__Output } from '../../inventory/v1/RepeatableRequest.ts';
import type { Long } from '@grpc/proto-loader';

export interface ApplyIssuancesRequest {
  'issuances'?: (_inventory_v1_Issuance)[];
  'actor'?: (_common_v1_Actor | null);
  'fence'?: (number | string | Long);
  'repeatable'?: (_inventory_v1_RepeatableRequest | null);
  'fenceScope'?: (string);
  '_fence'?: "fence";
  '_repeatable'?: "repeatable";
  '_fenceScope'?: "fenceScope";
}

export interface ApplyIssuancesRequest__Output {
  'issuances': (_inventory_v1_Issuance__Output)[];
  'actor': (_common_v1_Actor__Output | null);
  'fence'?: (string);
  'repeatable'?: (_inventory_v1_RepeatableRequest__Output | null);
  'fenceScope'?: (string);
  '_fence'?: "fence";
  '_repeatable'?: "repeatable";
  '_fenceScope'?: "fenceScope";
}
