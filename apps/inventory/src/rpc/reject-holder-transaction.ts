import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { decideAsSeller } from '../operations/decide-as-seller.ts';
import { documentOf, renderForHolder } from './messages.ts';

export const rejectHolderTransaction: Rpc<'holdings.RejectHolderTransaction', Context> =
  (context) => async (request, call) => {
    const asked = { accountHolderId: accountHolderOf(call), transactionId: idToFind(request.transactionId) };
    return answerOnce(
      'holdings.RejectHolderTransaction',
      { database: context.database, call, request },
      (database) => decideAsSeller({ ...context, database }, asked, 'REJECTED', call),
      (transaction) => documentOf(renderForHolder(transaction)),
    );
  };
