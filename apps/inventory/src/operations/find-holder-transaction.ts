import { notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { findTransactionOfHolder } from '../store/transaction-views.ts';
import { named, type NamedTransaction } from './with-names.ts';

/**
 * A transaction of an account holder: of its certificates, or one that a trader of its took part in.
 * @throws DomainError 'not-found' for any other, before anything is asked about it
 */
export async function findHolderTransaction(
  { database, tradersOf, name }: Pick<Context, 'database' | 'tradersOf' | 'name'>,
  accountHolderId: string,
  id: string,
  call: Call,
): Promise<NamedTransaction> {
  const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
  const transaction = await findTransactionOfHolder(database.em(), holder, id);
  if (!transaction) throw notFound();
  return named(transaction, await name(accountHolderId, [transaction], call));
}
