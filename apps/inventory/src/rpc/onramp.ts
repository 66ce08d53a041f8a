import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readOnramp } from '../domain/onramp.ts';
import { onramp as move } from '../operations/onramp.ts';
import { registryTransaction } from './messages.ts';

export const onramp: Rpc<'ledger.Onramp', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { key, ...asked } = readOnramp(request);
    const { transactionId, replayed } = await move(database, clock, { ...asked, actor: actorOf(call) }, key);
    return { transactionId, transaction: await registryTransaction(database.em(), transactionId), replayed };
  };
