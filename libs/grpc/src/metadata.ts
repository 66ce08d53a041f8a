/** Metadata that travels with every internal call. */
export const metadataKeys = {
  serviceToken: 'service-token',
  principalToken: 'principal-token',
  requestId: 'request-id',
  clientAddress: 'client-address',
  operator: 'operator',
  traceparent: 'traceparent',
} as const;
