// Original file: protos/common/v1/problem.proto

import type { Violation as _common_v1_Violation, Violation__Output as _common_v1_Violation__Output } from '../../common/v1/Violation.ts';

export interface Problem {
  'code'?: (string);
  'detail'?: (string);
  'violations'?: (_common_v1_Violation)[];
  'retryAfterSeconds'?: (number);
  '_retryAfterSeconds'?: "retryAfterSeconds";
}

export interface Problem__Output {
  'code': (string);
  'detail': (string);
  'violations': (_common_v1_Violation__Output)[];
  'retryAfterSeconds'?: (number);
  '_retryAfterSeconds'?: "retryAfterSeconds";
}
