import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { decideAsSeller } from '../operations/decide-as-seller.ts';
import { documentOf, renderForHolder } from './messages.ts';

export const rejectHolderTransaction: Rpc<'holdings.RejectHolderTransaction', Context> =
  (context) =>
  async ({ transactionId }, call) => {
    const asked = { accountHolderId: accountHolderOf(call), transactionId: idToFind(transactionId) };
    return documentOf(renderForHolder(await decideAsSeller(context, asked, 'REJECTED', call)));
  };
