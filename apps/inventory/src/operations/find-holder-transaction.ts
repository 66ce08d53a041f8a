import { notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { findTransactionWithHolder } from '../store/transaction-views.ts';
import { named, type NamedTransaction } from './with-names.ts';

/**
 * A transaction of an account holder: of its certificates, or one that a trader of its took part in.
 * @throws DomainError 'not-found' for any other
 */
export async function findHolderTransaction(
  { database, name }: Pick<Context, 'database' | 'name'>,
  accountHolderId: string,
  id: string,
  call: Call,
): Promise<NamedTransaction> {
  const found = await findTransactionWithHolder(database.em(), id);
  if (!found) throw notFound();
  const { accountHolderId: ofHolder, ...transaction } = found;
  const naming = await name(accountHolderId, [transaction], call);
  const hasPart = [transaction.sellerId, transaction.buyerId].some((each) => each && naming.ownTraders.has(each));
  if (ofHolder !== accountHolderId && !hasPart) throw notFound();
  return named(transaction, naming);
}
