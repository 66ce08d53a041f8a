import { setTimeout as delay } from 'node:timers/promises';
import type { Reads } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { findLines, type LineView, type TransactionHead, type TransactionView } from '../store/transaction-views.ts';

/** How many lines are in memory at once, of whatever list. One transaction has a thousand at most. */
const LINES_AT_ONCE = 5_000;

const ATTEMPTS_AT_MOST = 50;
const ATTEMPT_PAUSE_MS = 20;

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
      const lines = await linesOf(reads, reader, heads);
      yield heads.map(({ lineCount: _lineCount, ...head }) => ({ ...head, lines: lines.get(head.id) ?? [] }));
    }
  }
}

/**
 * The transactions of a standby may not be on the primary yet, for a moment, and their lines may be read there. They
 * are of the same commit, so they come together.
 * @throws DomainError 'unavailable' when they do not come
 */
async function linesOf(
  reads: Pick<Reads, 'page'>,
  reader: string,
  heads: readonly TransactionHead[],
): Promise<Map<string, readonly LineView[]>> {
  const ids = heads.flatMap(({ id, lineCount }) => (lineCount > 0 ? [id] : []));
  for (let attempt = 1; attempt <= ATTEMPTS_AT_MOST; attempt++) {
    const lines = await reads.page(reader, (em) => findLines(em, ids));
    if (ids.every((id) => lines.has(id))) return lines;
    await delay(ATTEMPT_PAUSE_MS);
  }
  throw new DomainError('unavailable', 'The lines of transactions cannot be read now.');
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
