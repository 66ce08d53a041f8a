import { appendAudit, lockTrails, serviceActor, type Act } from '@saleschannel/audit';
import type { TransferReported, TransferRequested, TransferWithdrawn } from '@saleschannel/contracts';
import type { Database, EntityManager, TransactionOptions } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import { newId, type Clock } from '@saleschannel/primitives';
import { BundleBook, type TakenSelection } from '../domain/bundle-book.ts';
import { computeContentDigest, toLine, type NewTransaction, type StatusChange } from '../domain/transaction.ts';
import { parseSelections, listStarts, type Fault, type Selection } from '../domain/selection.ts';
import { toDestination, toReservation } from '../domain/transfer.ts';
import { lockBundles, reserveIds, saveBook } from '../store/bundles.ts';
import { insertReferences } from '../store/references.ts';
import { publishStatements, type PublishedStatement } from '../store/statements.ts';
import { lockSequences, announceChanges } from '../store/status-changes.ts';
import {
  findOutcomes,
  insertRefusals,
  insertTransactions,
  isContended,
  lockTasks,
  type KnownOutcome,
} from '../store/transactions.ts';

/** New bundles per selection: the taken part, and the part before it. */
const MAX_NEW_BUNDLES = 2;

/** Members that depend on the type of the transfer. */
function toTypeMembers(
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

type TaskMessage = Pick<TransferRequested, 'taskId' | 'traceparent'>;

/** Decisions of one batch, before anything is written. */
class Batch {
  readonly book = new BundleBook();
  readonly transactions: NewTransaction[] = [];
  readonly refusals: { taskId: string; reason: string }[] = [];
  readonly changes: StatusChange[] = [];
  readonly reports: TransferReported[] = [];
  readonly acts: Act[] = [];
  readonly statements: PublishedStatement[] = [];
  readonly #now: string;

  constructor(now: Date) {
    this.#now = now.toISOString();
  }

  /** Reports the earlier decision on a task again. */
  repeat({ taskId, traceparent }: TaskMessage, { status, transactionId, reason }: KnownOutcome): void {
    const outcome = status === 'PENDING' ? 'RESERVED' : status;
    this.reports.push({ taskId, outcome, transactionId, reason, traceparent });
  }

  refuse(request: TransferRequested, faults: readonly Fault[]): void {
    const [first] = faults;
    const reason = first
      ? `assets/${first.index}/${first.field}: ${first.detail}`
      : 'The selections cannot be carried out.';
    this.refuseTask(request, reason);
  }

  /** Refuses a task permanently. */
  refuseTask({ taskId, traceparent }: TaskMessage, reason: string): void {
    this.refusals.push({ taskId, reason });
    this.reports.push({ taskId, outcome: 'REFUSED', transactionId: null, reason, traceparent });
  }

  decide(request: TransferRequested, selections: readonly Selection[]): void {
    const { sellerId, salesChannelId, selectsAnywhere } = request;
    const outcome = this.book.move({
      selections,
      anywhere: selectsAnywhere,
      from: { ownerId: sellerId, salesChannelId, states: ['LISTABLE'] },
      to: request.autoApproval ? toDestination(request) : toReservation(request),
    });
    if ('faults' in outcome) this.refuse(request, outcome.faults);
    else this.#record(request, outcome.taken);
  }

  #record(request: TransferRequested, taken: readonly TakenSelection[]): void {
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
      ...toTypeMembers(request),
      taskId,
      requestedBy: request.actor?.id,
      requestedWithKey: request.actor?.keyId,
      externalReference: request.externalReference,
      metadata: request.metadata,
      createdAt: now,
      completedAt: autoApproval ? now : undefined,
      lines: taken.map((each, index) => toLine(each, assets[index]?.unitPrice)),
    };
    this.transactions.push(transaction);
    this.acts.push({
      scopes: [salesChannelId],
      // Tasks of earlier releases have no actor.
      actor: request.actor ?? serviceActor('tasks'),
      action: 'inventory.transaction.created',
      subject: { type: 'transaction', id: transactionId },
      after: {
        type,
        status,
        taskId,
        idempotencyKey: idempotencyKey ?? null,
        digest: computeContentDigest(transaction),
      },
    });
    if (autoApproval) {
      const change = { salesChannelId, transactionId, taskId, status: 'SUCCESS', reason: null } as const;
      this.changes.push({ eventId: newId(), ...change, effectiveAt: now, traceparent });
    } else this.reports.push({ taskId, outcome: 'RESERVED', transactionId, reason: null, traceparent });
  }
}

/** One message per task. */
interface Messages {
  readonly requests: readonly TransferRequested[];
  readonly withdrawals: readonly TransferWithdrawn[];
}

/**
 * Carries out requested transfers in one transaction, and refuses withdrawn transfers that are undecided. Locks tasks,
 * then issuances, heads of channels and audit trails, each in a fixed order. Bundles are then written together with
 * transactions, lineage and integration events. An impossible transfer is refused permanently without affecting the
 * others. Earlier decisions are reported again.
 *
 * Takes two round trips: one locks and reads, one writes and commits.
 */
export async function settleTransfers(
  database: Database,
  clock: Clock,
  requests: readonly TransferRequested[],
  withdrawals: readonly TransferWithdrawn[] = [],
  options: TransactionOptions = {},
): Promise<void> {
  const messages = { requests: selectOnePerTask(requests), withdrawals: selectOnePerTask(withdrawals) };
  try {
    await database.transaction((em) => settle(em, clock, messages), options);
  } catch (error) {
    // Another transaction holds a lock. Redelivered messages were mostly decided earlier and need no lock.
    if (!isContended(error) || !(await reportDecided(database, clock, messages))) throw error;
  }
}

const selectOnePerTask = <T extends TaskMessage>(messages: readonly T[]): T[] => [
  ...new Map(messages.map((each) => [each.taskId, each])).values(),
];

async function settle(em: EntityManager, clock: Clock, { requests, withdrawals }: Messages): Promise<void> {
  const batch = new Batch(clock.now());
  const read = requests.map((request) => ({ request, outcome: parseSelections(request.assets) }));
  const selections = read.flatMap(({ outcome }) => ('faults' in outcome ? [] : outcome.selections));
  const taskIds = [...new Set([...requests, ...withdrawals].map(({ taskId }) => taskId))];
  const channelIds = [...new Set(requests.map(({ salesChannelId }) => salesChannelId))];
  const [, , known, reserved, sequences, trails] = await Promise.all([
    lockTasks(em, taskIds),
    lockBundles(em, batch.book, listStarts(selections)),
    // After the locks, so that the outcome of another replica with the same message is committed.
    findOutcomes(em, taskIds),
    reserveIds(em, selections.length * MAX_NEW_BUNDLES),
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
    // The batch also decides its transfer, so the withdrawal is too late.
    if (requested.has(withdrawal.taskId)) continue;
    const before = known.get(withdrawal.taskId);
    if (before) batch.repeat(withdrawal, before);
    else batch.refuseTask(withdrawal, withdrawal.reason);
  }
  await saveBook(em, batch.book, { reserved });
  insertTransactions(em, batch.transactions);
  insertReferences(em, batch.transactions);
  publishStatements(em, batch.statements);
  insertRefusals(em, batch.refusals);
  enqueue(em, 'inventory.transfer.reported.v1', batch.reports);
  announceChanges(em, sequences, batch.changes);
  appendAudit(em, trails, batch.acts);
}

/** Reports earlier decisions again. Returns true if every message had one. */
const reportDecided = (database: Database, clock: Clock, { requests, withdrawals }: Messages): Promise<boolean> =>
  database.transaction(async (em) => {
    const batch = new Batch(clock.now());
    const messages = selectOnePerTask<TaskMessage>([...requests, ...withdrawals]);
    const known = await findOutcomes(
      em,
      messages.map(({ taskId }) => taskId),
    );
    for (const message of messages) {
      const before = known.get(message.taskId);
      if (before) batch.repeat(message, before);
    }
    enqueue(em, 'inventory.transfer.reported.v1', batch.reports);
    return batch.reports.length === messages.length;
  });
