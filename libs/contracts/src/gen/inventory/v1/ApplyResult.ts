// Original file: protos/inventory/v1/inventory.proto

import type { Problem as _common_v1_Problem, Problem__Output as _common_v1_Problem__Output } from '../../common/v1/Problem.ts';

// Original file: protos/inventory/v1/inventory.proto

export const _inventory_v1_ApplyResult_Outcome = {
  OUTCOME_UNSPECIFIED: 'OUTCOME_UNSPECIFIED',
  OUTCOME_CREATED: 'OUTCOME_CREATED',
  OUTCOME_UPDATED: 'OUTCOME_UPDATED',
  OUTCOME_UNCHANGED: 'OUTCOME_UNCHANGED',
  OUTCOME_REFUSED: 'OUTCOME_REFUSED',
} as const;

export type _inventory_v1_ApplyResult_Outcome =
  | 'OUTCOME_UNSPECIFIED'
  | 0
  | 'OUTCOME_CREATED'
  | 1
  | 'OUTCOME_UPDATED'
  | 2
  | 'OUTCOME_UNCHANGED'
  | 3
  | 'OUTCOME_REFUSED'
  | 4

export type _inventory_v1_ApplyResult_Outcome__Output = typeof _inventory_v1_ApplyResult_Outcome[keyof typeof _inventory_v1_ApplyResult_Outcome]

export interface ApplyResult {
  'outcome'?: (_inventory_v1_ApplyResult_Outcome);
  'problem'?: (_common_v1_Problem | null);
}

export interface ApplyResult__Output {
  'outcome': (_inventory_v1_ApplyResult_Outcome__Output);
  'problem': (_common_v1_Problem__Output | null);
}
