import { z } from 'zod';

/**
 * The events that services exchange over RabbitMQ; this file is the only place where they are described. A message is an envelope of one type that holds
 * many entries: whatever was committed together travels together. A change that old consumers would misread gets a new version.
 */

const currency = z.enum(['EUR', 'USD']);
export const transactionTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

const retirement = z.object({
  beneficiaryName: z.string(),
  beneficiaryLocation: z.string(),
  beneficiaryType: z.string(),
  consumptionCountryCode: z.string(),
  usageType: z.string(),
  consumptionPeriodStart: z.string(),
  consumptionPeriodEnd: z.string(),
  retirementPurpose: z.string(),
});

const entrySchemas = {
  /** A task was accepted: the ledger shall carry out its transfer. Identified by taskId. */
  'tasks.transfer.requested.v1': z.object({
    taskId: z.string(),
    salesChannelId: z.string(),
    type: z.enum(transactionTypes),
    sellerId: z.string(),
    /** The seller's account holder, for a seller onboarded by proposal. An offramp gives the certificates back to it. */
    sellerAccountHolderId: z.string().nullable(),
    buyerId: z.string().nullable(),
    /** False: the transaction waits, its certificates reserved, for the seller's approval. */
    autoApproval: z.boolean(),
    currency: currency.nullable(),
    retirement: retirement.nullable(),
    assets: z.array(z.object({ start: z.string(), end: z.string(), unitPrice: z.string().nullable() })).min(1),
    traceparent: z.string(),
  }),
  /** The status of a transaction changed (never its creation). Identified by eventId, which is the id of the event that channels read. */
  'inventory.transaction.status-changed.v1': z.object({
    eventId: z.string(),
    salesChannelId: z.string(),
    transactionId: z.string(),
    taskId: z.string(),
    status: z.enum(['SUCCESS', 'REJECTED', 'FAILED']),
    /** Why, for people, when it did not succeed. */
    reason: z.string().nullable(),
    effectiveAt: z.string(),
    traceparent: z.string(),
  }),
  /** What became of a requested transfer that changed no transaction's status: reserved for approval, refused, or met for a second time. Identified by taskId. */
  'inventory.transfer.reported.v1': z.object({
    taskId: z.string(),
    outcome: z.enum(['RESERVED', 'REFUSED', 'SUCCESS', 'REJECTED', 'FAILED']),
    transactionId: z.string().nullable(),
    reason: z.string().nullable(),
    traceparent: z.string(),
  }),
  /** Rights of a user changed: whoever remembers them forgets them. */
  'rbac.binding.changed.v1': z.object({ userId: z.string() }),
  'identity.key.deleted.v1': z.object({ keyId: z.string() }),
} as const;

export type IntegrationEventType = keyof typeof entrySchemas;
export type IntegrationEvent<T extends IntegrationEventType> = z.infer<(typeof entrySchemas)[T]>;

export type TransferRequested = IntegrationEvent<'tasks.transfer.requested.v1'>;
export type TransactionStatusChanged = IntegrationEvent<'inventory.transaction.status-changed.v1'>;
export type TransferReported = IntegrationEvent<'inventory.transfer.reported.v1'>;

export const isIntegrationEventType = (type: unknown): type is IntegrationEventType =>
  typeof type === 'string' && Object.hasOwn(entrySchemas, type);

/** Reads one entry of an envelope; unknown fields are dropped. @throws z.ZodError */
export const parseIntegrationEvent = <T extends IntegrationEventType>(type: T, value: unknown): IntegrationEvent<T> =>
  entrySchemas[type].parse(value) as IntegrationEvent<T>;
