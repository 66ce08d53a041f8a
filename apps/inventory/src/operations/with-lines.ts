import { setTimeout as delay } from 'node:timers/promises';
import type { Reads } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import type { Expansions } from '../domain/expansion.ts';
import { findNotes } from '../store/references.ts';
import {
  findLines,
  type LineView,
  type Notes,
  type TransactionHead,
  type TransactionView,
} from '../store/transaction-views.ts';

/** How many lines are in memory at once, of whatever list. One transaction has a thousand at most. */
const LINES_AT_ONCE = 5_000;

const ATTEMPTS_AT_MOST = 50;
const ATTEMPT_PAUSE_MS = 20;

/**
 * Transactions with their lines, some at a time. A page of transactions with very many lines each would be a hundred
 * megabytes, and whoever made them would take the ledger's memory from everybody.
 * @param expand says whether what the sales channel noted of them is read too
 */
export async function* withLines(
  reads: Pick<Reads, 'page'>,
  reader: string,
  pages: AsyncIterable<readonly TransactionHead[]> | Iterable<readonly TransactionHead[]>,
  expand: Expansions = [],
): AsyncGenerator<TransactionView[]> {
  const hasNotes = expand.includes('reference') || expand.includes('metadata');
  for await (const page of pages) {
    for (const heads of groupsOf(page)) {
      const { lines, notes } = await contentsOf(reads, reader, heads, hasNotes);
      yield heads.map(({ lineCount: _lineCount, ...head }) => ({
        ...head,
        lines: lines.get(head.id) ?? [],
        notes: notes?.get(head.id),
      }));
    }
  }
}

interface Contents {
  readonly lines: ReadonlyMap<string, readonly LineView[]>;
  readonly notes?: ReadonlyMap<string, Notes>;
}

/**
 * The transactions of a standby may not be on the primary yet, for a moment, and their lines may be read there. They
 * are of the same commit, so they come together, and so do the notes that are read after them.
 * @throws DomainError 'unavailable' when they do not come
 */
async function contentsOf(
  reads: Pick<Reads, 'page'>,
  reader: string,
  heads: readonly TransactionHead[],
  hasNotes: boolean,
): Promise<Contents> {
  const ids = heads.flatMap(({ id, lineCount }) => (lineCount > 0 ? [id] : []));
  for (let attempt = 1; attempt <= ATTEMPTS_AT_MOST; attempt++) {
    const contents = await reads.page(reader, async (em): Promise<Contents> => {
      const lines = await findLines(em, ids);
      return hasNotes ? { lines, notes: await findNotes(em, ids) } : { lines };
    });
    if (ids.every((id) => contents.lines.has(id))) return contents;
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
