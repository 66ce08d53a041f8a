import { DomainError, unavailable } from '@saleschannel/errors';
import { FairShare, Batcher, type ItemOptions, type BatchItem } from '@saleschannel/runtime';
import type { EntityManager } from './sql.ts';
import { readPages, type ListPart, type PageRequest } from './keyset.ts';
import type { ListSource } from './read-replica.ts';
import type { Database } from './database.ts';

/** A key of a batch with its index, or a row with the index of its key. Several keys may match the same row. */
export type Indexed<T> = T & { readonly index: number };

/**
 * Finds one row by its key.
 * @throws DomainError 'unavailable'
 */
export type LookUp<Key, Row> = (key: Key, asker: ItemOptions) => Promise<Row | undefined>;

/**
 * Creates a function that finds rows by key, with one statement for concurrent calls. Each key has its own result, the
 * same as without the other keys.
 * @param find receives keys with their indexes, and returns the existing rows, each with the index of its key
 */
export function createLookUp<Key extends object, Row extends object>(
  database: Pick<Database, 'em'>,
  find: (em: EntityManager, keys: readonly Indexed<Key>[]) => Promise<readonly Indexed<Row>[]>,
): LookUp<Key, Row> {
  const batcher = new Batcher<Key, Row | undefined>({
    refusal: (why) =>
      unavailable(new Error(why === 'late' ? 'a lookup waited too long' : 'too many lookups are waiting')),
    async send(batch: readonly BatchItem<Key, Row | undefined>[]) {
      const rows = await find(
        database.em(),
        batch.map(({ item }, index) => ({ ...item, index })),
      );
      for (const row of rows) batch[row.index]?.resolve(row);
      for (const each of batch) each.resolve(undefined);
    },
  });
  return (key, asker) => batcher.request(key, asker);
}

/** Maximum number of waiting pages per reader. Further requests must be retried. */
const MAX_WAITING = 200;
/** Maximum number of concurrent list downloads per reader. Each holds two pages and some chunks for a slow reader. */
const MAX_LISTS = 32;
const RETRY_AFTER_SECONDS = 1;
const ROWS_PER_PAGE = 1_000;

/**
 * Reads lists one page at a time, on a connection that is released before the page is sent, so that a slow client holds
 * no connection and no transaction.
 *
 * Pages use at most about half of the connections for RPCs, and one reader (a sales channel, or the account holder of a
 * registry key) half of these. So slow or numerous reads of one reader affect neither other readers nor writers.
 */
export interface Reads {
  /**
   * Reads one page in the reader's turn, possibly from a standby that shows everything committed before the request.
   * @throws DomainError 'unavailable' with `retryAfterSeconds`, if too many pages wait for this reader
   */
  page<T>(reader: string, read: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Like `page`, from the primary, for data that must not be newer than the pages read after them. */
  primaryPage<T>(reader: string, read: (em: EntityManager) => Promise<T>): Promise<T>;
  /**
   * Reads a list of any length, page by page. A list of one page, as most are, is one statement and so one snapshot.
   * The list is active until its end.
   * @throws DomainError 'unavailable' with `retryAfterSeconds`, if this reader has too many active lists
   */
  list<Row>(
    reader: string,
    read: (em: EntityManager, part: PageRequest) => Promise<ListPart<Row>>,
  ): AsyncGenerator<Row[]>;
  /**
   * Counts streamed pieces as one active list.
   * @throws DomainError 'unavailable' with `retryAfterSeconds`, if this reader has too many active lists
   */
  countAsList<Piece>(reader: string, pieces: () => AsyncIterable<Piece>): AsyncGenerator<Piece>;
}

/** @param poolMax number of connections for RPCs */
export function createReads(source: Pick<ListSource, 'read' | 'readPrimary'>, poolMax: number): Reads {
  const maxConcurrent = Math.ceil(poolMax / 2);
  const share = new FairShare({
    maxConcurrent,
    maxConcurrentPerOwner: Math.ceil(maxConcurrent / 2),
    maxQueuedPerOwner: MAX_WAITING,
    refusal: tooMany,
  });
  const activeLists = new Map<string, number>();
  return {
    page: (reader, read) => share.run(reader, () => source.read(read)),
    primaryPage: (reader, read) => share.run(reader, () => source.readPrimary(read)),
    list(reader, read) {
      return this.countAsList(reader, () =>
        readPages((after) => this.page(reader, (em) => read(em, { limit: ROWS_PER_PAGE, after }))),
      );
    },
    async *countAsList(reader, pieces) {
      const lists = activeLists.get(reader) ?? 0;
      if (lists >= MAX_LISTS) throw tooMany();
      activeLists.set(reader, lists + 1);
      try {
        yield* pieces();
      } finally {
        const remaining = (activeLists.get(reader) ?? 1) - 1;
        if (remaining > 0) activeLists.set(reader, remaining);
        else activeLists.delete(reader);
      }
    },
  };
}

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too many of your lists are being read at once. Try again when some have finished.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
