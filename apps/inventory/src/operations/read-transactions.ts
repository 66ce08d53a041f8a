import { setTimeout as delay } from 'node:timers/promises';
import type { Reads } from '@saleschannel/database';
import { DomainError, notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context, Names } from '../context.ts';
import type { Expansions } from '../domain/list-requests.ts';
import { findNotes } from '../store/references.ts';
import {
  findLines,
  type LineView,
  type Notes,
  type TransactionHead,
  type TransactionView,
  findTransactionOfHolder,
} from '../store/transaction-views.ts';

/** A transaction with the names of its parties. Null if the party has no name that the reader may see. */
export interface NamedTransaction extends TransactionView {
  readonly sellerName: string | null;
  readonly buyerName: string | null;
  readonly salesChannelName: string | null;
}

function addNames(transaction: TransactionView, names: Names): NamedTransaction {
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  const { sellerId, buyerId, salesChannelId } = transaction;
  return {
    ...transaction,
    sellerName: nameOf(sellerId),
    buyerName: nameOf(buyerId),
    salesChannelName: nameOf(salesChannelId),
  };
}

/** Adds names to a list, with one look-up per group. */
export async function* addNamesToGroups(
  groups: AsyncIterable<readonly TransactionView[]>,
  findNames: (transactions: readonly TransactionView[]) => Promise<Names>,
): AsyncGenerator<NamedTransaction[]> {
  for await (const group of groups) {
    const names = await findNames(group);
    yield group.map((transaction) => addNames(transaction, names));
  }
}

/**
 * Finds a transaction of the account holder's certificates, or one with a trader of the account holder as a party.
 * @throws DomainError 'not-found' for any other, before its names are looked up
 */
export async function findHolderTransaction(
  {
    database,
    findTradersOfHolder,
    findNamesForHolder,
  }: Pick<Context, 'database' | 'findTradersOfHolder' | 'findNamesForHolder'>,
  accountHolderId: string,
  id: string,
  call: Call,
): Promise<NamedTransaction> {
  const holder = { accountHolderId, traders: await findTradersOfHolder(accountHolderId, call) };
  const transaction = await findTransactionOfHolder(database.em(), holder, id);
  if (!transaction) throw notFound();
  return addNames(transaction, await findNamesForHolder(accountHolderId, [transaction], call));
}

/** Lines in memory per list. A transaction has at most a thousand. */
const MAX_LINES = 5_000;

const MAX_ATTEMPTS = 50;
const ATTEMPT_PAUSE_MS = 20;

/**
 * Adds lines to transactions in bounded groups. A page of very long transactions would need a hundred megabytes.
 * @param expand decides whether notes of the sales channel are read too
 */
export async function* addLines(
  reads: Pick<Reads, 'page'>,
  reader: string,
  pages: AsyncIterable<readonly TransactionHead[]> | Iterable<readonly TransactionHead[]>,
  expand: Expansions = [],
): AsyncGenerator<TransactionView[]> {
  const hasNotes = expand.includes('reference') || expand.includes('metadata');
  for await (const page of pages) {
    for (const heads of splitIntoGroups(page)) {
      const { lines, notes } = await readContents(reads, reader, heads, hasNotes);
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
 * Reads lines and notes. Retries while the server that it reads from lags behind the server that returned the
 * transactions. Lines and notes are committed together, so notes that are read after the lines are complete too.
 * @throws DomainError 'unavailable' after too many attempts
 */
async function readContents(
  reads: Pick<Reads, 'page'>,
  reader: string,
  heads: readonly TransactionHead[],
  hasNotes: boolean,
): Promise<Contents> {
  const ids = heads.flatMap(({ id, lineCount }) => (lineCount > 0 ? [id] : []));
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const contents = await reads.page(reader, async (em): Promise<Contents> => {
      const lines = await findLines(em, ids);
      return hasNotes ? { lines, notes: await findNotes(em, ids) } : { lines };
    });
    if (ids.every((id) => contents.lines.has(id))) return contents;
    await delay(ATTEMPT_PAUSE_MS);
  }
  throw new DomainError('unavailable', 'The lines of the transactions cannot be read now. Try again.');
}

function* splitIntoGroups(page: readonly TransactionHead[]): Generator<readonly TransactionHead[]> {
  let group: TransactionHead[] = [];
  let lines = 0;
  for (const head of page) {
    if (group.length > 0 && lines + head.lineCount > MAX_LINES) {
      yield group;
      group = [];
      lines = 0;
    }
    group.push(head);
    lines += head.lineCount;
  }
  if (group.length > 0) yield group;
}
