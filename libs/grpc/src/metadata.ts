/** Metadata that travels with every internal call. */
export const metadataKeys = {
  serviceToken: 'service-token',
  principalToken: 'principal-token',
  requestId: 'request-id',
  traceparent: 'traceparent',
} as const;
