// Original file: protos/traders/v1/traders.proto


export interface OnboardingKey {
  'accountHolderId'?: (string);
  'salesChannelId'?: (string);
}

export interface OnboardingKey__Output {
  'accountHolderId': (string);
  'salesChannelId': (string);
}
