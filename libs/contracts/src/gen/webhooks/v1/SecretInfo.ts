// Original file: protos/webhooks/v1/webhooks.proto


export interface SecretInfo {
  'createdAt'?: (string);
  'expiresAt'?: (string);
  '_expiresAt'?: "expiresAt";
}

export interface SecretInfo__Output {
  'createdAt': (string);
  'expiresAt'?: (string);
  '_expiresAt'?: "expiresAt";
}
