// Original file: protos/common/v1/gathered_calls.proto

import type { Problem as _common_v1_Problem, Problem__Output as _common_v1_Problem__Output } from '../../common/v1/Problem.ts';

export interface GatheredResult {
  'call'?: (number);
  'response'?: (Buffer | Uint8Array | string);
  'problem'?: (_common_v1_Problem | null);
  'outcome'?: "response"|"problem";
}

export interface GatheredResult__Output {
  'call': (number);
  'response'?: (Buffer);
  'problem'?: (_common_v1_Problem__Output | null);
  'outcome'?: "response"|"problem";
}
