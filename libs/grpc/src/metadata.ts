/** Metadata that travels with every internal call. */
export const metadataKeys = {
  serviceToken: 'service-token',
  principalToken: 'principal-token',
  requestId: 'request-id',
  clientAddress: 'client-address',
  traceparent: 'traceparent',
} as const;
