import type { Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { pageOfTransactions } from '../store/transaction-views.ts';
import { jsonPage, renderForRegistry } from './messages.ts';

export const listRegistryTransactions: Rpc<'ledger.ListRegistryTransactions', Context> =
  ({ database }) =>
  async (request) =>
    jsonPage(await pageOfTransactions(database.em(), readPage(request.page)), renderForRegistry);
