import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findHolderTransaction } from '../operations/find-holder-transaction.ts';
import { documentOf, renderForHolder } from './messages.ts';

export const getHolderTransaction: Rpc<'holdings.GetHolderTransaction', Context> =
  (context) =>
  async ({ transactionId }, call) =>
    documentOf(
      renderForHolder(await findHolderTransaction(context, accountHolderOf(call), idToFind(transactionId), call)),
    );
