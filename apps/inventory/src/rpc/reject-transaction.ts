import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { decideTransaction } from '../operations/decide-transaction.ts';
import { refuseSuspended } from '../operations/refuse-suspended.ts';
import { registryTransaction } from './messages.ts';

export const rejectTransaction: Rpc<'ledger.RejectTransaction', Context> = (context) => async (request, call) => {
  const { database, clock } = context;
  const transactionId = idToFind(request.transactionId);
  await refuseSuspended(context, transactionId, call);
  const order = { transactionId, decision: 'REJECTED', actor: actorOf(call) } as const;
  return answerOnce(
    'ledger.RejectTransaction',
    { database, call, request },
    (transactional) => decideTransaction(transactional, clock, order, (em) => registryTransaction(em, transactionId)),
    (document) => document,
  );
};
