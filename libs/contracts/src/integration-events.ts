import { z } from 'zod';
import { actor } from './actor.ts';

/**
 * The events that services exchange over RabbitMQ. This file is the only place where they are described.
 *
 * A message is an envelope of one type that holds many entries: whatever was committed together travels together. The
 * version is a part of the type. A reader ignores members that it does not know, so adding an optional one needs no new
 * version. A change that a reader of the last release would misread gets a new version.
 */

const selection = z.object({
  /** `<issuance id>_<serial>` */
  start: z.string(),
  /** `<issuance id>_<serial>` */
  end: z.string(),
  /** Canonical decimal text. */
  unitPrice: z.string().nullable(),
});

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

/** Who may see the statement of a retirement. Without it: whoever has its link, and all of it. */
const statement = z.object({
  publication: z.enum(['LINK', 'PUBLIC']),
  /** ISO 8601. Until then the beneficiary is hidden. */
  beneficiaryHiddenUntil: z.string().nullable(),
});

const currency = z.enum(['EUR', 'USD']);

const transfer = {
  taskId: z.string(),
  salesChannelId: z.string(),
  sellerId: z.string(),
  /** False: the transaction waits, its certificates reserved, for the seller's approval. */
  autoApproval: z.boolean(),
  assets: z.array(selection).min(1),
  /** Present where the selections may begin anywhere within a bundle. Otherwise each begins where one does. */
  selectsAnywhere: z.literal(true).optional(),
  /** What the sales channel calls it, and its notes on it. Nothing of it changes what happens. */
  externalReference: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** Who asked for it. */
  actor: actor.optional(),
  /** The account holder behind the seller, if the seller was onboarded by proposal. */
  accountHolderId: z.string().optional(),
  /** W3C trace context of the request, or empty. */
  traceparent: z.string(),
};

/** A task was accepted: the ledger shall carry out its transfer. Identified by taskId. */
const transferRequested = z.discriminatedUnion('type', [
  z.object({ ...transfer, type: z.literal('TRADE'), buyerId: z.string(), currency }),
  z.object({
    ...transfer,
    type: z.literal('RETIREMENT'),
    currency: currency.nullable(),
    retirement,
    statement: statement.optional(),
  }),
  /** The certificates go back to the account holder behind the seller. */
  z.object({ ...transfer, type: z.literal('OFFRAMP'), sellerAccountHolderId: z.string() }),
]);

/** A place in the ledger's order of changes, from 1. Text, for it is a bigint. */
const sequence = z.string().regex(/^[1-9]\d{0,18}$/);

/**
 * The ledger shall not carry out the transfer of this task any more. It decides: a task that was decided before stays
 * as it is, any other one is refused for good. Identified by taskId.
 */
const transferWithdrawn = z.object({
  taskId: z.string(),
  /** Why, for people. */
  reason: z.string(),
  traceparent: z.string(),
});

/**
 * The status of a transaction changed (never its creation). Identified by eventId, the id of the event that channels
 * read, and by transactionId with status.
 */
const transactionStatusChanged = z.object({
  eventId: z.string(),
  salesChannelId: z.string(),
  /** Its place among the changes of the sales channel, without gaps, in commit order. The first release had none. */
  sequence: sequence.optional(),
  transactionId: z.string(),
  taskId: z.string(),
  status: z.enum(['SUCCESS', 'REJECTED', 'FAILED']),
  /** Why, for people, when it did not succeed. */
  reason: z.string().nullable(),
  effectiveAt: z.string(),
  traceparent: z.string(),
});

/**
 * What became of a requested transfer that changed no transaction's status: reserved for approval, refused, or decided
 * before. Identified by taskId.
 */
const transferReported = z.object({
  taskId: z.string(),
  outcome: z.enum(['RESERVED', 'REFUSED', 'SUCCESS', 'REJECTED', 'FAILED']),
  transactionId: z.string().nullable(),
  reason: z.string().nullable(),
  traceparent: z.string(),
});

export const integrationEventSchemas = {
  'tasks.transfer.requested.v1': transferRequested,
  'tasks.transfer.withdrawn.v1': transferWithdrawn,
  'inventory.transaction.status-changed.v1': transactionStatusChanged,
  'inventory.transfer.reported.v1': transferReported,
  /** Rights of a user changed: whoever remembers them forgets them. */
  'rbac.binding.changed.v1': z.object({ userId: z.string() }),
  /** A key was deleted: whoever remembers it forgets it. */
  'identity.key.deleted.v1': z.object({ keyId: z.string() }),
} as const;

export type IntegrationEventType = keyof typeof integrationEventSchemas;

/** The content of one entry of this type. */
export type IntegrationEvent<T extends IntegrationEventType> = z.infer<(typeof integrationEventSchemas)[T]>;

/** One entry with its type: a discriminated union over all types. */
export type IntegrationEntry<T extends IntegrationEventType = IntegrationEventType> = {
  [K in T]: { readonly type: K; readonly event: IntegrationEvent<K> };
}[T];

export type TransferRequested = IntegrationEvent<'tasks.transfer.requested.v1'>;
export type TransferWithdrawn = IntegrationEvent<'tasks.transfer.withdrawn.v1'>;
export type TransactionStatusChanged = IntegrationEvent<'inventory.transaction.status-changed.v1'>;
export type TransferReported = IntegrationEvent<'inventory.transfer.reported.v1'>;

/** What a transfer does with its certificates. */
export type TransferType = TransferRequested['type'];
export const transferTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const satisfies readonly TransferType[];

export const isIntegrationEventType = (type: unknown): type is IntegrationEventType =>
  typeof type === 'string' && Object.hasOwn(integrationEventSchemas, type);

/** Reads one entry of an envelope. Undefined when it is not what its type says. */
export function readIntegrationEvent<T extends IntegrationEventType>(
  type: T,
  value: unknown,
): IntegrationEntry<T> | undefined {
  const result = integrationEventSchemas[type].safeParse(value);
  return result.success ? ({ type, event: result.data } as IntegrationEntry<T>) : undefined;
}
