import type { Reads } from '@saleschannel/database';
import { findLines, type TransactionHead, type TransactionView } from '../store/transaction-views.ts';

/** How many lines are in memory at once, of whatever list. One transaction has a thousand at most. */
const LINES_AT_ONCE = 5_000;

/**
 * Transactions with their lines, some at a time. A page of transactions with very many lines each would be a hundred
 * megabytes, and whoever made them would take the ledger's memory from everybody.
 */
export async function* withLines(
  reads: Pick<Reads, 'page'>,
  reader: string,
  pages: AsyncIterable<readonly TransactionHead[]> | Iterable<readonly TransactionHead[]>,
): AsyncGenerator<TransactionView[]> {
  for await (const page of pages) {
    for (const heads of groupsOf(page)) {
      const ids = heads.map(({ id }) => id);
      const lines = await reads.page(reader, (em) => findLines(em, ids));
      yield heads.map(({ lineCount: _lineCount, ...head }) => ({ ...head, lines: lines.get(head.id) ?? [] }));
    }
  }
}

function* groupsOf(page: readonly TransactionHead[]): Generator<readonly TransactionHead[]> {
  let group: TransactionHead[] = [];
  let lines = 0;
  for (const head of page) {
    if (group.length > 0 && lines + head.lineCount > LINES_AT_ONCE) {
      yield group;
      group = [];
      lines = 0;
    }
    group.push(head);
    lines += head.lineCount;
  }
  if (group.length > 0) yield group;
}
