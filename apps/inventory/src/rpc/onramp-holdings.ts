import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readOnramp } from '../domain/onramp.ts';
import { findHolderTransaction } from '../operations/find-holder-transaction.ts';
import { onramp } from '../operations/onramp.ts';
import { documentOf, renderForHolder } from './messages.ts';

/** The caller says which trader is the account holder's. Whose user asks is in their own token. */
export const onrampHoldings: Rpc<'holdings.OnrampHoldings', Context> = (context) => async (request, call) => {
  const { key, ...asked } = readOnramp(request);
  const accountHolderId = accountHolderOf(call);
  if (asked.accountHolderId !== accountHolderId) throw notFound();
  const { database, clock } = context;
  const { transactionId, replayed } = await onramp(database, clock, { ...asked, actor: actorOf(call) }, key);
  const transaction = await findHolderTransaction(context, accountHolderId, transactionId, call);
  return { transactionId, transaction: documentOf(renderForHolder(transaction)), replayed };
};
