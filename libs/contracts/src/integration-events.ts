import { z } from 'zod';
import { actor } from './actor.ts';

/**
 * The events that services exchange over RabbitMQ. This file is the only place where they are described: the
 * descriptions go into docs/integrate/asyncapi.yaml, for teams that listen.
 *
 * A message is an envelope of one type that holds many entries: whatever was committed together travels together. The
 * version is a part of the type. A reader ignores members that it does not know, so adding an optional one needs no new
 * version. A change that a reader of the last release would misread gets a new version.
 */

const certificate = z.string().describe('`<issuance id>_<serial>`');

const selection = z.object({
  start: certificate,
  end: certificate,
  unitPrice: z.string().nullable().describe('Canonical decimal text.'),
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

const statement = z
  .object({
    publication: z.enum(['LINK', 'PUBLIC']),
    beneficiaryHiddenUntil: z.string().nullable().describe('ISO 8601. Until then the beneficiary is hidden.'),
  })
  .describe('Who may see the statement of a retirement. Without it: whoever has its link, and all of it.');

const currency = z.enum(['EUR', 'USD']);
const traceparent = z.string().describe('W3C trace context of the request, or empty.');
const reason = z.string().describe('Why, for people.');
const reasonIfAny = z.string().nullable().describe('Why, for people, when it did not succeed.');

const transfer = {
  taskId: z.string(),
  salesChannelId: z.string(),
  sellerId: z.string(),
  autoApproval: z
    .boolean()
    .describe("False: the transaction waits, its certificates reserved, for the seller's approval."),
  assets: z.array(selection).min(1),
  selectsAnywhere: z
    .literal(true)
    .optional()
    .describe('Present where the selections may begin anywhere within a bundle. Otherwise each begins where one does.'),
  externalReference: z
    .string()
    .optional()
    .describe('What the sales channel calls it. Nothing of it changes what happens.'),
  metadata: z.record(z.string(), z.string()).optional().describe('The notes of the sales channel on it.'),
  idempotencyKey: z
    .string()
    .optional()
    .describe("The key of the request that made the task. Recorded in the audit trail; the ledger doesn't act on it."),
  actor: actor.optional().describe('Who asked for it.'),
  accountHolderId: z
    .string()
    .optional()
    .describe('The account holder behind the seller, if the seller was onboarded by proposal.'),
  traceparent,
};

const transferRequested = z
  .discriminatedUnion('type', [
    z.object({ ...transfer, type: z.literal('TRADE'), buyerId: z.string(), currency }),
    z.object({
      ...transfer,
      type: z.literal('RETIREMENT'),
      currency: currency.nullable(),
      retirement,
      statement: statement.optional(),
    }),
    z
      .object({ ...transfer, type: z.literal('OFFRAMP'), sellerAccountHolderId: z.string() })
      .describe('The certificates go back to the account holder behind the seller.'),
  ])
  .describe('A task was accepted: the ledger shall carry out its transfer. Identified by taskId.');

const sequence = z
  .string()
  .regex(/^[1-9]\d{0,18}$/)
  .describe(
    'Its place among the changes of the sales channel, from 1, without gaps, in commit order. Text, for it is a' +
      ' bigint. The first release had none.',
  );

const transferWithdrawn = z
  .object({ taskId: z.string(), reason, traceparent })
  .describe(
    'The ledger shall not carry out the transfer of this task any more. It decides: a task that was decided before' +
      ' stays as it is, any other one is refused for good. Identified by taskId.',
  );

const transactionStatusChanged = z
  .object({
    eventId: z.string(),
    salesChannelId: z.string(),
    sequence: sequence.optional(),
    transactionId: z.string(),
    taskId: z.string(),
    status: z.enum(['SUCCESS', 'REJECTED', 'FAILED']),
    reason: reasonIfAny,
    effectiveAt: z.string().describe('ISO 8601.'),
    traceparent,
  })
  .describe(
    'The status of a transaction changed (never its creation). Identified by eventId, the id of the event that' +
      ' channels read, and by transactionId with status.',
  );

const transferReported = z
  .object({
    taskId: z.string(),
    outcome: z.enum(['RESERVED', 'REFUSED', 'SUCCESS', 'REJECTED', 'FAILED']),
    transactionId: z.string().nullable(),
    reason: reasonIfAny,
    traceparent,
  })
  .describe(
    "What became of a requested transfer that changed no transaction's status: reserved for approval, refused, or" +
      ' decided before. Identified by taskId.',
  );

export const integrationEventSchemas = {
  'tasks.transfer.requested.v1': transferRequested,
  'tasks.transfer.withdrawn.v1': transferWithdrawn,
  'inventory.transaction.status-changed.v1': transactionStatusChanged,
  'inventory.transfer.reported.v1': transferReported,
  'rbac.binding.changed.v1': z
    .object({ userId: z.string() })
    .describe('Rights of a user changed: whoever remembers them forgets them.'),
  'identity.key.deleted.v1': z
    .object({ keyId: z.string() })
    .describe('A key was deleted: whoever remembers it forgets it.'),
  'tasks.wait.begun.v1': z
    .object({ replicaId: z.string(), salesChannelId: z.string() })
    .describe(
      'A replica of tasks waits for tasks of the sales channel to end. For half a minute the others tell it of those' +
        ' that end at them. Sent once, and never again where it was lost.',
    ),
  'tasks.wait.ended.v1': z
    .object({ taskId: z.string() })
    .describe(
      'A task has ended that another replica of tasks may wait for, which then reads it. Nothing is said of tasks in' +
        ' whose sales channels nobody waits. Sent once, and never again where it was lost.',
    ),
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
