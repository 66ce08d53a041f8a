// Original file: protos/identity/v1/sessions.proto


export interface EndProviderSessionsRequest {
  'issuer'?: (string);
  'subject'?: (string);
  'providerSession'?: (string);
  '_subject'?: "subject";
  '_providerSession'?: "providerSession";
}

export interface EndProviderSessionsRequest__Output {
  'issuer': (string);
  'subject'?: (string);
  'providerSession'?: (string);
  '_subject'?: "subject";
  '_providerSession'?: "providerSession";
}
