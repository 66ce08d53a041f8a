// Original file: protos/traders/v1/traders.proto

import type { OnboardingKey as _traders_v1_OnboardingKey, OnboardingKey__Output as _traders_v1_OnboardingKey__Output } from '../../traders/v1/OnboardingKey.ts';

export interface FindOnboardedTradersRequest {
  'keys'?: (_traders_v1_OnboardingKey)[];
}

export interface FindOnboardedTradersRequest__Output {
  'keys': (_traders_v1_OnboardingKey__Output)[];
}
