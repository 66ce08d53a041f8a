import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { newId, type Clock } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';
import { BundleBook } from '../domain/bundle-book.ts';
import type { Bundle } from '../domain/bundle.ts';
import { decide, endingOf, type Decision, type Ending } from '../domain/transaction.ts';
import { destinationOf, originOf } from '../domain/transfer.ts';
import { lockIntoBook, saveBook } from '../store/bundles.ts';
import { lockSequences } from '../store/status-changes.ts';
import { completeTransaction, findLines, lockTransaction, type TransferTransaction } from '../store/transactions.ts';
import { announceChanges } from './announce-changes.ts';

export interface DecisionOrder {
  readonly transactionId: string;
  readonly decision: Decision;
  readonly actor: Actor;
}

/**
 * The seller's decision on a PENDING transaction. Approval moves the reserved certificates, unless they have expired:
 * then the transaction fails. Rejection and failure undo the reservation, and adjacent parts of one owner become one
 * bundle again. The same decision again changes nothing.
 * @param read reads the transaction as it is then
 * @throws DomainError 'not-found', or 'request-refused' when it was decided the other way
 */
export const decideTransaction = <Read>(
  database: Database,
  clock: Clock,
  { transactionId, decision, actor }: DecisionOrder,
  read: (em: EntityManager) => Promise<Read>,
): Promise<Read> =>
  database.transaction(async (em) => {
    const transaction = await lockTransaction(em, transactionId);
    if (!transaction) throw notFound();
    if (decide(transaction.status, decision) === 'stands') return read(em);
    // Another replica made it, perhaps by a clock that is ahead of this one.
    const now = clock.now().toISOString();
    const at = now > transaction.createdAt ? now : transaction.createdAt;
    const ending = await complete(em, transaction, decision, at);
    await recordAudit(em, [decisionOf(transaction, decision, ending, actor)]);
    return read(em);
  });

const decisionOf = (
  { id, salesChannelId }: TransferTransaction,
  decision: Decision,
  ending: Ending,
  actor: Actor,
): Act => ({
  scopes: [salesChannelId, REGISTRY_SCOPE],
  actor,
  action: decision === 'APPROVED' ? 'inventory.transaction.approved' : 'inventory.transaction.rejected',
  subject: { type: 'transaction', id },
  before: { status: 'PENDING' },
  after: { ...ending },
});

async function complete(
  em: EntityManager,
  transaction: TransferTransaction,
  decision: Decision,
  at: string,
): Promise<Ending> {
  const book = new BundleBook();
  const reserved = await lockReservation(em, book, transaction.id);
  const ending = endingOf(
    decision,
    reserved.some(({ issuance }) => issuance.expired),
  );
  const to = ending.status === 'SUCCESS' ? destinationOf(transaction) : originOf(transaction);
  for (const bundle of reserved) book.reassign(bundle, to);
  if (ending.status !== 'SUCCESS') book.joinNeighbours(reserved);
  const { id: transactionId, taskId, salesChannelId } = transaction;
  await saveBook(em, book, { transactionId });
  completeTransaction(em, transactionId, ending, at);
  const traceparent = currentTraceparent();
  announceChanges(em, await lockSequences(em, [salesChannelId]), [
    { eventId: newId(), salesChannelId, transactionId, taskId, ...ending, effectiveAt: at, traceparent },
  ]);
  return ending;
}

/** Locks the issuances, and reads the reserved bundles and their neighbours. Returns the reserved ones. */
async function lockReservation(em: EntityManager, book: BundleBook, transactionId: string): Promise<Bundle[]> {
  const lines = await findLines(em, transactionId);
  const certificates = lines.flatMap(({ issuanceId, first, last }) => [
    { issuanceId, serial: BigInt(first) - 1n },
    { issuanceId, serial: BigInt(first) },
    { issuanceId, serial: BigInt(last) + 1n },
  ]);
  const locked = await lockIntoBook(
    em,
    book,
    certificates.filter(({ serial }) => serial >= 0n),
  );
  const byStart = new Map(locked.map((bundle) => [`${bundle.issuance.issuanceId}_${bundle.first}`, bundle]));
  return lines.map(({ issuanceId, first }) => {
    const bundle = byStart.get(`${issuanceId}_${first}`);
    if (bundle?.state !== 'RESERVED')
      throw new Error(`the reservation of transaction ${transactionId} is not in the ledger`);
    return bundle;
  });
}
