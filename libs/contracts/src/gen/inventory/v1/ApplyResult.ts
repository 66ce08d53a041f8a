// Original file: protos/inventory/v1/inventory.proto


// Original file: protos/inventory/v1/inventory.proto

export const _inventory_v1_ApplyResult_Outcome = {
  CREATED: 'CREATED',
  UPDATED: 'UPDATED',
  UNCHANGED: 'UNCHANGED',
  REFUSED: 'REFUSED',
} as const;

export type _inventory_v1_ApplyResult_Outcome =
  | 'CREATED'
  | 0
  | 'UPDATED'
  | 1
  | 'UNCHANGED'
  | 2
  | 'REFUSED'
  | 3

export type _inventory_v1_ApplyResult_Outcome__Output = typeof _inventory_v1_ApplyResult_Outcome[keyof typeof _inventory_v1_ApplyResult_Outcome]

export interface ApplyResult {
  'outcome'?: (_inventory_v1_ApplyResult_Outcome);
  'code'?: (string);
  'detail'?: (string);
  'violationsJson'?: (string);
}

export interface ApplyResult__Output {
  'outcome': (_inventory_v1_ApplyResult_Outcome__Output);
  'code': (string);
  'detail': (string);
  'violationsJson': (string);
}
