import { z } from 'zod';

/**
 * Events that services exchange over RabbitMQ. docs/integrate/asyncapi.yaml is generated from these descriptions, for
 * teams that listen.
 *
 * A message is an envelope with one or more entries of one type, usually of one commit. The version is part of the
 * type. Readers ignore unknown members, so an optional member needs no new version. A change that the last release
 * would misread needs one.
 */

/** Author of a change, as services pass it on for the audit trail. */
export const actor = z.object({
  kind: z.enum(['user', 'registry-key', 'operator', 'service']),
  /** Id of the user or service, or an operator's `sub` claim at the identity provider. */
  id: z.string().optional(),
  /** The presented API key or registry key. Missing for an access token. */
  keyId: z.string().optional(),
  /** Sales channel of the user. */
  salesChannelId: z.string().optional(),
  /** Account holder of the user or registry key. */
  accountHolderId: z.string().optional(),
  /** Network address of the client. */
  address: z.string().optional(),
  /** Id of the public request. */
  requestId: z.string().optional(),
});

export type Actor = z.infer<typeof actor>;

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
  .describe('Visibility of the retirement statement. If missing, anyone with its link sees all of it.');

const currency = z.enum(['EUR', 'USD']);
const traceparent = z.string().describe('W3C trace context of the request, or empty.');
const reason = z.string().describe('Reason, for people.');
const reasonIfAny = z.string().nullable().describe('Reason of a failure, for people.');

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
    .describe('Present if selections may start anywhere in a bundle. Otherwise each starts where a bundle starts.'),
  externalReference: z.string().optional().describe('Name of the transfer at the sales channel, without effect.'),
  metadata: z.record(z.string(), z.string()).optional().describe('Notes of the sales channel on the transfer.'),
  idempotencyKey: z
    .string()
    .optional()
    .describe('Key of the request that created the task. Recorded in the audit trail; the ledger ignores it.'),
  actor: actor.optional().describe('Actor who requested the transfer.'),
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
      .describe('The certificates return to the account holder behind the seller.'),
  ])
  .describe('A task was accepted, and the ledger must carry out its transfer. Identified by taskId.');

const sequence = z
  .string()
  .regex(/^[1-9]\d{0,18}$/)
  .describe(
    'Position among the changes of the sales channel, from 1, without gaps, in commit order. Text, because it is a' +
      ' bigint. Missing in the first release.',
  );

const transferWithdrawn = z
  .object({ taskId: z.string(), reason, traceparent })
  .describe(
    'The ledger must no longer carry out the transfer of this task. If it has not decided the task yet, it refuses it' +
      ' for good. Identified by taskId.',
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
    "Outcome of a requested transfer that changed no transaction's status: reserved for approval, refused, or" +
      ' already decided. Identified by taskId.',
  );

export const integrationEventSchemas = {
  'tasks.transfer.requested.v1': transferRequested,
  'tasks.transfer.withdrawn.v1': transferWithdrawn,
  'inventory.transaction.status-changed.v1': transactionStatusChanged,
  'inventory.transfer.reported.v1': transferReported,
  'rbac.binding.changed.v1': z
    .object({ userId: z.string() })
    .describe('Rights of a user changed. Caches must drop them.'),
  'identity.key.deleted.v1': z.object({ keyId: z.string() }).describe('A key was deleted. Caches must drop it.'),
  'tasks.wait.begun.v1': z
    .object({ replicaId: z.string(), salesChannelId: z.string() })
    .describe(
      'A replica of tasks waits for tasks of the sales channel to end. For half a minute, other replicas report tasks' +
        ' that end. Not sent again if it is lost.',
    ),
  'tasks.wait.ended.v1': z
    .object({ taskId: z.string() })
    .describe(
      'A task has ended that another replica of tasks may wait for, which then reads it. Not sent for sales channels' +
        ' without waiting replicas. Not sent again if it is lost.',
    ),
} as const;

export type IntegrationEventType = keyof typeof integrationEventSchemas;

/** Content of one entry of a type. */
export type IntegrationEvent<T extends IntegrationEventType> = z.infer<(typeof integrationEventSchemas)[T]>;

/** One entry with its type, as a discriminated union over all types. */
export type IntegrationEntry<T extends IntegrationEventType = IntegrationEventType> = {
  [K in T]: { readonly type: K; readonly event: IntegrationEvent<K> };
}[T];

export type TransferRequested = IntegrationEvent<'tasks.transfer.requested.v1'>;
export type TransferWithdrawn = IntegrationEvent<'tasks.transfer.withdrawn.v1'>;
export type TransactionStatusChanged = IntegrationEvent<'inventory.transaction.status-changed.v1'>;
export type TransferReported = IntegrationEvent<'inventory.transfer.reported.v1'>;

/** Effect of a transfer on its certificates. */
export type TransferType = TransferRequested['type'];
export const transferTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const satisfies readonly TransferType[];

export const isIntegrationEventType = (type: unknown): type is IntegrationEventType =>
  typeof type === 'string' && Object.hasOwn(integrationEventSchemas, type);

/** Parses one entry of an envelope. Undefined if it does not match its type. */
export function readIntegrationEvent<T extends IntegrationEventType>(
  type: T,
  value: unknown,
): IntegrationEntry<T> | undefined {
  const result = integrationEventSchemas[type].safeParse(value);
  return result.success ? ({ type, event: result.data } as IntegrationEntry<T>) : undefined;
}
