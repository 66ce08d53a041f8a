import type { TransactionStatusChanged, TransferReported, TransferRequested } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import { newId, type Clock } from '@saleschannel/primitives';
import { withSpan } from '@saleschannel/runtime';
import { BundleBook, type Fault, type Holding, type Selection, type Taken } from '../domain/bundle-book.ts';
import { readSelections } from '../domain/selection.ts';
import { lockIntoBook, saveBook } from '../store/bundles.ts';
import {
  insertRefusals,
  insertTransactions,
  knownOutcomes,
  lineOf,
  type KnownOutcome,
  type NewTransaction,
} from '../store/transactions.ts';

export interface SettleDependencies {
  database: Database;
  clock: Clock;
}

/** Where the certificates go when the transfer completes. */
function destinationOf(request: TransferRequested): Holding {
  if (request.type === 'TRADE')
    return { ownerId: request.buyerId ?? '', salesChannelId: request.salesChannelId, state: 'LISTABLE' };
  if (request.type === 'RETIREMENT')
    return { ownerId: request.sellerId, salesChannelId: request.salesChannelId, state: 'RETIRED' };
  return { ownerId: request.sellerAccountHolderId ?? '', salesChannelId: null, state: 'OFFRAMPED' };
}

const reservationOf = (request: TransferRequested): Holding => ({
  ownerId: request.sellerId,
  salesChannelId: request.salesChannelId,
  state: 'RESERVED',
});

/** What one batch decides, before anything is written. */
class Batch {
  readonly book = new BundleBook();
  readonly transactions: NewTransaction[] = [];
  readonly refusals: { taskId: string; reason: string }[] = [];
  readonly changed: TransactionStatusChanged[] = [];
  readonly reported: TransferReported[] = [];
  readonly #now: string;

  constructor(now: Date) {
    this.#now = now.toISOString();
  }

  /** A task that was decided before: it is told again, and nothing else happens. */
  repeat(request: TransferRequested, known: KnownOutcome): void {
    const outcome = known.status === 'PENDING' ? 'RESERVED' : known.status;
    this.reported.push({
      taskId: request.taskId,
      outcome,
      transactionId: known.transaction_id,
      reason: known.reason,
      traceparent: request.traceparent,
    });
  }

  refuse(request: TransferRequested, faults: readonly Fault[]): void {
    const [first] = faults;
    const reason = first ? `assets/${first.index}/${first.field}: ${first.detail}` : 'The selection does not hold.';
    this.refusals.push({ taskId: request.taskId, reason });
    this.reported.push({
      taskId: request.taskId,
      outcome: 'REFUSED',
      transactionId: null,
      reason,
      traceparent: request.traceparent,
    });
  }

  decide(request: TransferRequested, selections: readonly Selection[]): void {
    const from = { ownerId: request.sellerId, salesChannelId: request.salesChannelId, states: ['LISTABLE'] as const };
    const outcome = this.book.move({
      selections,
      from,
      to: request.autoApproval ? destinationOf(request) : reservationOf(request),
    });
    if ('faults' in outcome) this.refuse(request, outcome.faults);
    else this.#record(request, outcome.taken);
  }

  #record(request: TransferRequested, taken: readonly Taken[]): void {
    const id = newId();
    this.transactions.push({
      id,
      type: request.type,
      status: request.autoApproval ? 'SUCCESS' : 'PENDING',
      salesChannelId: request.salesChannelId,
      sellerId: request.sellerId,
      buyerId: request.buyerId,
      accountHolderId: request.type === 'OFFRAMP' ? request.sellerAccountHolderId : null,
      currency: request.currency,
      retirement: request.retirement,
      taskId: request.taskId,
      createdAt: this.#now,
      completedAt: request.autoApproval ? this.#now : null,
      lines: taken.map((each, index) => lineOf(each, request.assets[index]?.unitPrice ?? null)),
    });
    const { taskId, salesChannelId, traceparent } = request;
    if (request.autoApproval) {
      this.changed.push({
        eventId: newId(),
        salesChannelId,
        transactionId: id,
        taskId,
        status: 'SUCCESS',
        reason: null,
        effectiveAt: this.#now,
        traceparent,
      });
    } else this.reported.push({ taskId, outcome: 'RESERVED', transactionId: id, reason: null, traceparent });
  }
}

/**
 * Carries out requested transfers in one transaction: bundles locked in order, split and moved, with transactions, lineage and events, all committed together.
 * A transfer that cannot be done is refused and stays refused; the others of the batch go on. Idempotent by task id.
 */
export async function settleTransfers(
  { database, clock }: SettleDependencies,
  requests: readonly TransferRequested[],
): Promise<void> {
  const links = requests.map((request) => request.traceparent).filter((parent) => parent !== '');
  await withSpan(
    'inventory.settle',
    { parent: links[0], links: links.slice(1), attributes: { 'batch.size': requests.length } },
    () => database.transaction((em) => settleBatch(em, requests, clock)),
  );
}

async function settleBatch(em: EntityManager, requests: readonly TransferRequested[], clock: Clock): Promise<void> {
  const unique = [...new Map(requests.map((request) => [request.taskId, request])).values()];
  const batch = new Batch(clock.now());
  const read = unique.map((request) => ({ request, outcome: readSelections(request.assets) }));
  const selections = read.flatMap(({ outcome }) => ('faults' in outcome ? [] : outcome.selections));
  await lockIntoBook(
    em,
    batch.book,
    selections.map(({ issuanceId, first }) => ({ issuanceId, serial: first })),
  );
  // After the locks, which is when another replica that was given the same message before has committed its word.
  const known = await knownOutcomes(
    em,
    unique.map((request) => request.taskId),
  );
  for (const { request, outcome } of read) {
    const before = known.get(request.taskId);
    if (before) batch.repeat(request, before);
    else if ('faults' in outcome) batch.refuse(request, outcome.faults);
    else batch.decide(request, outcome.selections);
  }
  await saveBook(em, batch.book);
  await insertTransactions(em, batch.transactions);
  await insertRefusals(em, batch.refusals);
  await enqueue(em, 'inventory.transaction.status-changed.v1', batch.changed);
  await enqueue(em, 'inventory.transfer.reported.v1', batch.reported);
}
