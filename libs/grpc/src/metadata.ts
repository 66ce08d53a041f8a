/** Metadata that travels with every internal call. */
export const metadataKeys = {
  serviceToken: 'service-token',
  principalToken: 'principal-token',
  requestId: 'request-id',
  clientAddress: 'client-address',
  operator: 'operator',
  traceparent: 'traceparent',
  idempotencyKey: 'idempotency-key',
} as const;

/** Initial metadata of a reply that repeats the answer of an earlier call with the same idempotency key. */
export const REPLAYED = 'idempotency-replayed';
