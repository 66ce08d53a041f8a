import { requestRefused, type FaultWording } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context, Suspension } from '../context.ts';
import { findPendingParties } from '../store/transactions.ts';

const refusals: Record<Suspension, FaultWording> = {
  'sales channel': { detail: 'names a transaction of a suspended sales channel', code: 'sales-channel-suspended' },
  'account holder': { detail: 'names a transaction of a suspended account holder', code: 'account-holder-suspended' },
};

/**
 * A transaction that waits stays as it is while its sales channel, its seller or its buyer is suspended. One that was
 * decided before is not asked about: the same decision again changes nothing.
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
  throw requestRefused(`The ${suspension} is suspended by the operator: the transaction is kept as it is.`, [
    { parameter: 'transactionId', ...refusals[suspension] },
  ]);
}
