import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readRegistryFilter } from '../domain/list-filters.ts';
import { withLines } from '../operations/with-lines.ts';
import { transactionsOfRegistry } from '../store/transaction-lists.ts';
import { piecesOf, renderForRegistry } from './messages.ts';

export const listRegistryTransactions: Rpc<'ledger.ListRegistryTransactions', Context> = ({ reads }) =>
  async function* (request, call) {
    const reader = readerOf(call);
    const asked = readPage(request.page);
    const filter = readRegistryFilter(request);
    yield* reads.counted(reader, async function* () {
      const { rows, ...size } = await reads.page(reader, (em) => transactionsOfRegistry(em, filter, asked));
      yield* piecesOf(size, withLines(reads, reader, [rows]), renderForRegistry);
    });
  };
