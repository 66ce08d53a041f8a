import { notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context, Names } from '../context.ts';
import { findTransactionOfHolder, type TransactionView } from '../store/transaction-views.ts';

/** A transaction with the names of its parties. Null if the party has no name that the reader may see. */
export interface NamedTransaction extends TransactionView {
  readonly sellerName: string | null;
  readonly buyerName: string | null;
  readonly salesChannelName: string | null;
}

function addNames(transaction: TransactionView, names: Names): NamedTransaction {
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  const { sellerId, buyerId, salesChannelId } = transaction;
  return {
    ...transaction,
    sellerName: nameOf(sellerId),
    buyerName: nameOf(buyerId),
    salesChannelName: nameOf(salesChannelId),
  };
}

/** Adds names to a list, with one look-up per group. */
export async function* addNamesToGroups(
  groups: AsyncIterable<readonly TransactionView[]>,
  findNames: (transactions: readonly TransactionView[]) => Promise<Names>,
): AsyncGenerator<NamedTransaction[]> {
  for await (const group of groups) {
    const names = await findNames(group);
    yield group.map((transaction) => addNames(transaction, names));
  }
}

/**
 * Finds a transaction of the account holder's certificates, or one with a trader of the account holder as a party.
 * @throws DomainError 'not-found' for any other, before its names are looked up
 */
export async function findHolderTransaction(
  {
    database,
    findTradersOfHolder,
    findNamesForHolder,
  }: Pick<Context, 'database' | 'findTradersOfHolder' | 'findNamesForHolder'>,
  accountHolderId: string,
  id: string,
  call: Call,
): Promise<NamedTransaction> {
  const holder = { accountHolderId, traders: await findTradersOfHolder(accountHolderId, call) };
  const transaction = await findTransactionOfHolder(database.em(), holder, id);
  if (!transaction) throw notFound();
  return addNames(transaction, await findNamesForHolder(accountHolderId, [transaction], call));
}
