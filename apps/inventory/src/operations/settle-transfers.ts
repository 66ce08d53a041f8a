import { appendAudit, lockTrails, serviceActor, type Act } from '@saleschannel/audit';
import type { TransferReported, TransferRequested, TransferWithdrawn } from '@saleschannel/contracts';
import type { Database, EntityManager, TransactionOptions } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import { newId, type Clock } from '@saleschannel/primitives';
import { BundleBook, type Taken } from '../domain/bundle-book.ts';
import { contentDigest } from '../domain/content-digest.ts';
import { readSelections, startsOf, type Fault, type Selection } from '../domain/selection.ts';
import { lineOf, type NewTransaction, type StatusChange } from '../domain/transaction.ts';
import { destinationOf, reservationOf } from '../domain/transfer.ts';
import { lockIntoBook, reserveIds, saveBook } from '../store/bundles.ts';
import { insertReferences } from '../store/references.ts';
import { publishStatements, type PublishedStatement } from '../store/statements.ts';
import { lockSequences } from '../store/status-changes.ts';
import {
  findOutcomes,
  insertRefusals,
  insertTransactions,
  isHeldUp,
  lockTasks,
  type KnownOutcome,
} from '../store/transactions.ts';
import { announceChanges } from './announce-changes.ts';

/** Of one selection: what was taken, and what lay before it. */
const NEW_BUNDLES_AT_MOST = 2;

/** What only some types of transfer have. */
function particularsOf(
  request: TransferRequested,
): Pick<NewTransaction, 'buyerId' | 'accountHolderId' | 'currency' | 'retirement'> {
  switch (request.type) {
    case 'TRADE':
      return { buyerId: request.buyerId, currency: request.currency };
    case 'RETIREMENT':
      return { currency: request.currency ?? undefined, retirement: request.retirement };
    case 'OFFRAMP':
      return { accountHolderId: request.sellerAccountHolderId };
  }
}

/** What every message about a task has. */
type AboutTask = Pick<TransferRequested, 'taskId' | 'traceparent'>;

/** What one batch decides, before anything is written. */
class Batch {
  readonly book = new BundleBook();
  readonly transactions: NewTransaction[] = [];
  readonly refusals: { taskId: string; reason: string }[] = [];
  readonly changed: StatusChange[] = [];
  readonly reported: TransferReported[] = [];
  readonly acts: Act[] = [];
  readonly statements: PublishedStatement[] = [];
  readonly #now: string;

  constructor(now: Date) {
    this.#now = now.toISOString();
  }

  /** A task that was decided before: it is told again, and nothing else happens. */
  repeat({ taskId, traceparent }: AboutTask, { status, transactionId, reason }: KnownOutcome): void {
    const outcome = status === 'PENDING' ? 'RESERVED' : status;
    this.reported.push({ taskId, outcome, transactionId, reason, traceparent });
  }

  refuse(request: TransferRequested, faults: readonly Fault[]): void {
    const [first] = faults;
    const reason = first
      ? `assets/${first.index}/${first.field}: ${first.detail}`
      : 'The selections cannot be carried out.';
    this.end(request, reason);
  }

  /** The task is refused, and stays so whatever comes later. */
  end({ taskId, traceparent }: AboutTask, reason: string): void {
    this.refusals.push({ taskId, reason });
    this.reported.push({ taskId, outcome: 'REFUSED', transactionId: null, reason, traceparent });
  }

  decide(request: TransferRequested, selections: readonly Selection[]): void {
    const { sellerId, salesChannelId, selectsAnywhere } = request;
    const outcome = this.book.move({
      selections,
      anywhere: selectsAnywhere,
      from: { ownerId: sellerId, salesChannelId, states: ['LISTABLE'] },
      to: request.autoApproval ? destinationOf(request) : reservationOf(request),
    });
    if ('faults' in outcome) this.refuse(request, outcome.faults);
    else this.#record(request, outcome.taken);
  }

  #record(request: TransferRequested, taken: readonly Taken[]): void {
    const { type, autoApproval, salesChannelId, sellerId, taskId, assets, traceparent, idempotencyKey } = request;
    const [transactionId, now] = [newId(), this.#now];
    const status = autoApproval ? 'SUCCESS' : 'PENDING';
    if (request.type === 'RETIREMENT' && request.statement)
      this.statements.push({ transactionId, ...request.statement });
    const transaction: NewTransaction = {
      id: transactionId,
      type,
      status,
      salesChannelId,
      sellerId,
      accountHolderId: request.accountHolderId,
      ...particularsOf(request),
      taskId,
      requestedBy: request.actor?.id,
      requestedWithKey: request.actor?.keyId,
      externalReference: request.externalReference,
      metadata: request.metadata,
      createdAt: now,
      completedAt: autoApproval ? now : undefined,
      lines: taken.map((each, index) => lineOf(each, assets[index]?.unitPrice ?? undefined)),
    };
    this.transactions.push(transaction);
    this.acts.push({
      scopes: [salesChannelId],
      // A task of an earlier release does not say who asked for it.
      actor: request.actor ?? serviceActor('tasks'),
      action: 'inventory.transaction.created',
      subject: { type: 'transaction', id: transactionId },
      after: { type, status, taskId, idempotencyKey: idempotencyKey ?? null, digest: contentDigest(transaction) },
    });
    if (autoApproval) {
      const change = { salesChannelId, transactionId, taskId, status: 'SUCCESS', reason: null } as const;
      this.changed.push({ eventId: newId(), ...change, effectiveAt: now, traceparent });
    } else this.reported.push({ taskId, outcome: 'RESERVED', transactionId, reason: null, traceparent });
  }
}

/** What a batch is told: one message of each task. */
interface Told {
  readonly requests: readonly TransferRequested[];
  readonly withdrawals: readonly TransferWithdrawn[];
}

/**
 * Carries out requested transfers in one transaction, and refuses withdrawn ones that it has not decided before. Tasks
 * are locked, then the issuances, the heads of the channels and the audit trails, each in one order. Then bundles are
 * split and moved, and written together with transactions, lineage and integration events. A transfer that cannot be
 * done is refused and stays refused, and the others of the batch go on. A task that was decided before is only told
 * again.
 *
 * That is two round trips: all questions and locks, then all that is written, with the commit.
 */
export async function settleTransfers(
  database: Database,
  clock: Clock,
  requests: readonly TransferRequested[],
  withdrawals: readonly TransferWithdrawn[] = [],
  options: TransactionOptions = {},
): Promise<void> {
  const told = { requests: onePerTask(requests), withdrawals: onePerTask(withdrawals) };
  try {
    await database.transaction((em) => settle(em, clock, told), options);
  } catch (error) {
    // Somebody holds what the batch needs. What comes twice was mostly decided long ago, and needs nothing.
    if (!isHeldUp(error) || !(await tellDecided(database, clock, told))) throw error;
  }
}

const onePerTask = <T extends AboutTask>(messages: readonly T[]): T[] => [
  ...new Map(messages.map((each) => [each.taskId, each])).values(),
];

async function settle(em: EntityManager, clock: Clock, { requests, withdrawals }: Told): Promise<void> {
  const batch = new Batch(clock.now());
  const read = requests.map((request) => ({ request, outcome: readSelections(request.assets) }));
  const selections = read.flatMap(({ outcome }) => ('faults' in outcome ? [] : outcome.selections));
  const taskIds = [...new Set([...requests, ...withdrawals].map(({ taskId }) => taskId))];
  const channelIds = [...new Set(requests.map(({ salesChannelId }) => salesChannelId))];
  const [, , known, reserved, sequences, trails] = await Promise.all([
    lockTasks(em, taskIds),
    lockIntoBook(em, batch.book, startsOf(selections)),
    // After the locks: another replica that was given the same message before has committed its outcome by then.
    findOutcomes(em, taskIds),
    reserveIds(em, selections.length * NEW_BUNDLES_AT_MOST),
    lockSequences(em, channelIds),
    lockTrails(em, channelIds),
  ]);
  for (const { request, outcome } of read) {
    const before = known.get(request.taskId);
    if (before) batch.repeat(request, before);
    else if ('faults' in outcome) batch.refuse(request, outcome.faults);
    else batch.decide(request, outcome.selections);
  }
  const requested = new Set(requests.map(({ taskId }) => taskId));
  for (const withdrawal of withdrawals) {
    // The transfer itself is here too, and is decided as if it had never been withdrawn.
    if (requested.has(withdrawal.taskId)) continue;
    const before = known.get(withdrawal.taskId);
    if (before) batch.repeat(withdrawal, before);
    else batch.end(withdrawal, withdrawal.reason);
  }
  await saveBook(em, batch.book, { reserved });
  insertTransactions(em, batch.transactions);
  insertReferences(em, batch.transactions);
  publishStatements(em, batch.statements);
  insertRefusals(em, batch.refusals);
  enqueue(em, 'inventory.transfer.reported.v1', batch.reported);
  announceChanges(em, sequences, batch.changed);
  appendAudit(em, trails, batch.acts);
}

/** Tells again what was decided before. Returns whether that was all. */
const tellDecided = (database: Database, clock: Clock, { requests, withdrawals }: Told): Promise<boolean> =>
  database.transaction(async (em) => {
    const batch = new Batch(clock.now());
    const messages = onePerTask<AboutTask>([...requests, ...withdrawals]);
    const known = await findOutcomes(
      em,
      messages.map(({ taskId }) => taskId),
    );
    for (const message of messages) {
      const before = known.get(message.taskId);
      if (before) batch.repeat(message, before);
    }
    enqueue(em, 'inventory.transfer.reported.v1', batch.reported);
    return batch.reported.length === messages.length;
  });
