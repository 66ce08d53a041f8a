import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { Decision } from '../domain/transaction.ts';
import { findTransaction } from '../store/transaction-views.ts';
import { isSoldBy } from '../store/transactions.ts';
import { decideTransaction } from './decide-transaction.ts';
import { findHolderTransaction } from './find-holder-transaction.ts';
import { refuseSuspended } from './refuse-suspended.ts';
import type { NamedTransaction } from './with-names.ts';

/**
 * The decision of the seller's account holder itself, by the rules by which the registry makes it.
 * @throws DomainError 'not-found' for a transaction that another one sells, also to this account holder
 */
export async function decideAsSeller(
  context: Pick<Context, 'database' | 'clock' | 'findSuspension' | 'tradersOf' | 'name'>,
  { accountHolderId, transactionId }: { readonly accountHolderId: string; readonly transactionId: string },
  decision: Decision,
  call: Call,
): Promise<NamedTransaction> {
  const { database, clock } = context;
  if (!(await isSoldBy(database.em(), transactionId, accountHolderId))) throw notFound();
  await refuseSuspended(context, transactionId, call);
  // Names come from other services: they are looked up before the transaction, which holds a connection.
  const { sellerName, buyerName, salesChannelName } = await findHolderTransaction(
    context,
    accountHolderId,
    transactionId,
    call,
  );
  const order = { transactionId, decision, actor: actorOf(call) };
  return decideTransaction(database, clock, order, async (em) => {
    const decided = await findTransaction(em, transactionId);
    if (!decided) throw notFound();
    return { ...decided, sellerName, buyerName, salesChannelName };
  });
}
