import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readRegistryFilter } from '../domain/list-filters.ts';
import { transactionsOfRegistry } from '../store/transaction-lists.ts';
import { jsonPage, renderForRegistry } from './messages.ts';

export const listRegistryTransactions: Rpc<'ledger.ListRegistryTransactions', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const filter = readRegistryFilter(request);
    const read = reads.page(readerOf(call), (em) => transactionsOfRegistry(em, filter, asked));
    return jsonPage(await read, renderForRegistry);
  };
