import { actorOf, recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused, type FaultWording } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import { newId, type Clock } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Context, Suspension } from '../context.ts';
import { BundleBook } from '../domain/bundle-book.ts';
import type { Bundle } from '../domain/bundle.ts';
import { checkDecision, toEnding, type Decision, type Ending } from '../domain/transaction.ts';
import { toDestination, toOrigin } from '../domain/transfer.ts';
import { lockBundles, saveBook } from '../store/bundles.ts';
import { lockSequences, announceChanges } from '../store/status-changes.ts';
import { findTransaction } from '../store/transaction-views.ts';
import {
  completeTransaction,
  findLineRanges,
  findPendingParties,
  isSoldBy,
  lockTransaction,
  type TransferTransaction,
} from '../store/transactions.ts';
import { findHolderTransaction, type NamedTransaction } from './read-transactions.ts';

const refusals: Record<Suspension, FaultWording> = {
  'sales channel': { detail: 'names a transaction of a suspended sales channel', code: 'sales-channel-suspended' },
  'account holder': { detail: 'names a transaction of a suspended account holder', code: 'account-holder-suspended' },
};

/**
 * Refuses decisions on a PENDING transaction while its sales channel, its seller or its buyer is suspended. Decided
 * transactions pass, because repeating a decision changes nothing.
 * @throws DomainError 'request-refused'
 */
export async function refuseSuspended(
  { database, findSuspension }: Pick<Context, 'database' | 'findSuspension'>,
  transactionId: string,
  call: Call,
): Promise<void> {
  const parties = await findPendingParties(database.em(), transactionId);
  const suspension = parties && (await findSuspension(parties, call));
  if (suspension === undefined) return;
  throw requestRefused(`The operator has suspended the ${suspension}. The transaction stays pending.`, [
    { parameter: 'transactionId', ...refusals[suspension] },
  ]);
}

export interface DecisionOrder {
  readonly transactionId: string;
  readonly decision: Decision;
  readonly actor: Actor;
}

/**
 * Applies the seller's decision to a PENDING transaction. Approval moves the reserved certificates, or fails the
 * transaction if they have expired. Rejection and failure undo the reservation, and adjacent bundles of one owner merge
 * again. Repeating a decision changes nothing.
 * @param read reads the transaction after the decision
 * @throws DomainError 'not-found', or 'request-refused' after another decision
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
    if (checkDecision(transaction.status, decision) === 'repeats') return read(em);
    // The replica that created the transaction may have a clock ahead of this one.
    const now = clock.now().toISOString();
    const at = now > transaction.createdAt ? now : transaction.createdAt;
    const ending = await complete(em, transaction, decision, at);
    await recordAudit(em, [toAct(transaction, decision, ending, actor)]);
    return read(em);
  });

/**
 * Applies the decision of the seller's account holder, by the rules of `decideTransaction`.
 * @throws DomainError 'not-found' if the account holder is not the seller, even if it is the buyer
 */
export async function decideAsSeller(
  context: Pick<Context, 'database' | 'clock' | 'findSuspension' | 'findTradersOfHolder' | 'findNamesForHolder'>,
  { accountHolderId, transactionId }: { readonly accountHolderId: string; readonly transactionId: string },
  decision: Decision,
  call: Call,
): Promise<NamedTransaction> {
  const { database, clock } = context;
  if (!(await isSoldBy(database.em(), transactionId, accountHolderId))) throw notFound();
  await refuseSuspended(context, transactionId, call);
  // Other services are called before the database transaction, which holds a connection.
  const { sellerName, buyerName, salesChannelName } = await findHolderTransaction(
    context,
    accountHolderId,
    transactionId,
    call,
  );
  const order = { transactionId, decision, actor: actorOf(call) };
  return decideTransaction(database, clock, order, async (em) => {
    const transaction = await findTransaction(em, transactionId);
    if (!transaction) throw notFound();
    return { ...transaction, sellerName, buyerName, salesChannelName };
  });
}

const toAct = ({ id, salesChannelId }: TransferTransaction, decision: Decision, ending: Ending, actor: Actor): Act => ({
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
  const ending = toEnding(
    decision,
    reserved.some(({ issuance }) => issuance.expired),
  );
  const to = ending.status === 'SUCCESS' ? toDestination(transaction) : toOrigin(transaction);
  for (const bundle of reserved) book.reassign(bundle, to);
  if (ending.status !== 'SUCCESS') book.mergeNeighbours(reserved);
  const { id: transactionId, taskId, salesChannelId } = transaction;
  await saveBook(em, book, { transactionId });
  completeTransaction(em, transactionId, ending, at);
  const traceparent = currentTraceparent();
  announceChanges(em, await lockSequences(em, [salesChannelId]), [
    { eventId: newId(), salesChannelId, transactionId, taskId, ...ending, effectiveAt: at, traceparent },
  ]);
  return ending;
}

/**
 * Locks the issuances, reads the reserved bundles and their neighbours into the book, and returns the reserved bundles.
 */
async function lockReservation(em: EntityManager, book: BundleBook, transactionId: string): Promise<Bundle[]> {
  const lines = await findLineRanges(em, transactionId);
  const certificates = lines.flatMap(({ issuanceId, first, last }) => [
    { issuanceId, serial: BigInt(first) - 1n },
    { issuanceId, serial: BigInt(first) },
    { issuanceId, serial: BigInt(last) + 1n },
  ]);
  const locked = await lockBundles(
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
