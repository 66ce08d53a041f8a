import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { decideTransaction } from '../operations/decide-transaction.ts';
import { refuseSuspended } from '../operations/refuse-suspended.ts';
import { registryTransaction } from './messages.ts';

export const approveTransaction: Rpc<'ledger.ApproveTransaction', Context> =
  (context) =>
  async ({ transactionId }, call) => {
    const { database, clock } = context;
    const id = idToFind(transactionId);
    await refuseSuspended(context, id, call);
    await decideTransaction(database, clock, id, 'APPROVED', actorOf(call));
    return registryTransaction(database, id);
  };
