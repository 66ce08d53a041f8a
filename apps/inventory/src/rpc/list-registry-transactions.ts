import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readSharedExpansions } from '../domain/expansion.ts';
import { readRegistryFilter } from '../domain/list-filters.ts';
import { withLines } from '../operations/with-lines.ts';
import { withNames } from '../operations/with-names.ts';
import { transactionsOfRegistry } from '../store/transaction-lists.ts';
import { registryTransactionForm } from './list-messages.ts';
import { piecesOf } from './messages.ts';

export const listRegistryTransactions: Rpc<'ledger.ListRegistryTransactions', Context> = ({ reads, nameForRegistry }) =>
  async function* (request, call) {
    const reader = readerOf(call);
    const asked = readPage(request.page);
    const filter = readRegistryFilter(request);
    const expand = readSharedExpansions(request.expand);
    const { render, frame, about } = registryTransactionForm(request.format, expand);
    yield* reads.counted(reader, async function* () {
      const { rows, ...size } = await reads.page(reader, (em) => transactionsOfRegistry(em, filter, asked));
      const found = withLines(reads, reader, [rows]);
      const named = expand.includes('names') ? withNames(found, (some) => nameForRegistry(some, call)) : found;
      yield* piecesOf({ ...about, ...size }, named, render, frame);
    });
  };
