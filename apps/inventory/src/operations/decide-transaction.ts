import { enqueue } from '@saleschannel/messaging';
import { type Database, type EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { newId, type Clock } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';
import { BundleBook, type Bundle, type Holding } from '../domain/bundle-book.ts';
import { lockIntoBook, saveBook } from '../store/bundles.ts';
import { completeTransaction, linesOf, lockTransaction, type LockedTransaction } from '../store/transactions.ts';

export type Decision = 'APPROVE' | 'REJECT';

const statusAfter = { APPROVE: 'SUCCESS', REJECT: 'REJECTED' } as const;

function destinationOf(transaction: LockedTransaction): Holding {
  const {
    type,
    buyer_id: buyerId,
    seller_id: sellerId,
    sales_channel_id: salesChannelId,
    account_holder_id: accountHolderId,
  } = transaction;
  if (type === 'TRADE') return { ownerId: buyerId ?? '', salesChannelId, state: 'LISTABLE' };
  if (type === 'RETIREMENT') return { ownerId: sellerId, salesChannelId, state: 'RETIRED' };
  return { ownerId: accountHolderId ?? '', salesChannelId: null, state: 'OFFRAMPED' };
}

/**
 * The seller's word on a PENDING transaction. Approval moves the reserved certificates, unless they expired meanwhile: then the transaction fails. Rejection
 * and failure undo the reservation, and adjacent parts of one owner become one bundle again. Deciding the same again changes nothing.
 * @throws DomainError 'not-found'; 'request-refused' when it was decided the other way
 */
export async function decideTransaction(
  dependencies: { database: Database; clock: Clock },
  id: string,
  decision: Decision,
): Promise<void> {
  await dependencies.database.transaction(async (em) => {
    const transaction = await lockTransaction(em, id);
    if (!transaction) throw notFound();
    if (transaction.status === statusAfter[decision]) return;
    if (transaction.status !== 'PENDING') throw requestRefused(`The transaction is ${transaction.status} already.`);
    await decide(em, transaction, decision, dependencies.clock.now().toISOString());
  });
}

async function decide(
  em: EntityManager,
  transaction: LockedTransaction,
  decision: Decision,
  at: string,
): Promise<void> {
  const book = new BundleBook();
  const reserved = await lockReservation(em, book, transaction);
  const hasExpired = reserved.some((bundle) => bundle.issuance.expired);
  const status = decision === 'APPROVE' && hasExpired ? ('FAILED' as const) : statusAfter[decision];
  const reason =
    status === 'FAILED'
      ? 'The certificates expired before the approval.'
      : status === 'REJECTED'
        ? 'The seller rejected the transaction.'
        : null;
  if (status === 'SUCCESS') for (const bundle of reserved) book.settle(bundle, destinationOf(transaction));
  else {
    const back: Holding = {
      ownerId: transaction.seller_id,
      salesChannelId: transaction.sales_channel_id,
      state: 'LISTABLE',
    };
    for (const bundle of reserved) book.settle(bundle, back);
    book.joinNeighbours(reserved);
  }
  await saveBook(em, book, transaction.id);
  await completeTransaction(em, transaction.id, status, reason, at);
  const { id: transactionId, task_id: taskId, sales_channel_id: salesChannelId } = transaction;
  const event = {
    eventId: newId(),
    salesChannelId,
    transactionId,
    taskId,
    status,
    reason,
    effectiveAt: at,
    traceparent: currentTraceparent(),
  };
  await enqueue(em, 'inventory.transaction.status-changed.v1', [event]);
}

/** Locks the reserved bundles and what lies on both sides of them, in the one order; returns the reserved ones. */
async function lockReservation(em: EntityManager, book: BundleBook, transaction: LockedTransaction): Promise<Bundle[]> {
  const lines = await linesOf(em, transaction.id);
  const points = lines.flatMap(({ issuance_id: issuanceId, first, last }) => [
    { issuanceId, serial: BigInt(first) - 1n },
    { issuanceId, serial: BigInt(first) },
    { issuanceId, serial: BigInt(last) + 1n },
  ]);
  const locked = await lockIntoBook(
    em,
    book,
    points.filter((point) => point.serial >= 0n),
  );
  return lines.map(({ issuance_id: issuanceId, first }) => {
    const bundle = locked.find((each) => each.issuance.issuanceId === issuanceId && each.first === BigInt(first));
    if (bundle?.state !== 'RESERVED')
      throw new Error(`the reservation of transaction ${transaction.id} is not in the ledger`);
    return bundle;
  });
}
