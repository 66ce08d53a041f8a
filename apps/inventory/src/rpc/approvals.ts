import { actorOf } from '@saleschannel/audit';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import type { Decision } from '../domain/transaction.ts';
import { decideAsSeller, decideTransaction, refuseSuspended } from '../operations/decide-transaction.ts';
import { toJsonDocument } from './messages.ts';
import { toHolderMembers } from './transaction-messages.ts';
import { readRegistryDocument } from './transactions.ts';

/** Creates the RPC for a seller's decision that the registry reports. */
const decideForRegistry =
  (rpc: 'ledger.ApproveTransaction' | 'ledger.RejectTransaction', decision: Decision): Rpc<typeof rpc, Context> =>
  (context) =>
  async (request, call) => {
    const { database, clock } = context;
    const transactionId = idToFind(request.transactionId);
    await refuseSuspended(context, transactionId, call);
    const order = { transactionId, decision, actor: actorOf(call) };
    return answerOnce(
      rpc,
      { database, call, request },
      (transactional) =>
        decideTransaction(transactional, clock, order, (em) => readRegistryDocument(em, transactionId)),
      (document) => document,
    );
  };

/** Creates the RPC for a decision of the caller's account holder, which must be the seller. */
const decideForHolder =
  (
    rpc: 'holdings.ApproveHolderTransaction' | 'holdings.RejectHolderTransaction',
    decision: Decision,
  ): Rpc<typeof rpc, Context> =>
  (context) =>
  async (request, call) => {
    const key = { accountHolderId: accountHolderOf(call), transactionId: idToFind(request.transactionId) };
    return answerOnce(
      rpc,
      { database: context.database, call, request },
      (database) => decideAsSeller({ ...context, database }, key, decision, call),
      (transaction) => toJsonDocument(toHolderMembers(transaction)),
    );
  };

export const approveTransaction: Rpc<'ledger.ApproveTransaction', Context> = decideForRegistry(
  'ledger.ApproveTransaction',
  'APPROVED',
);

export const rejectTransaction: Rpc<'ledger.RejectTransaction', Context> = decideForRegistry(
  'ledger.RejectTransaction',
  'REJECTED',
);

export const approveHolderTransaction: Rpc<'holdings.ApproveHolderTransaction', Context> = decideForHolder(
  'holdings.ApproveHolderTransaction',
  'APPROVED',
);

export const rejectHolderTransaction: Rpc<'holdings.RejectHolderTransaction', Context> = decideForHolder(
  'holdings.RejectHolderTransaction',
  'REJECTED',
);
