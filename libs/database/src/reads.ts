import { DomainError } from '@saleschannel/errors';
import { FairShare } from '@saleschannel/runtime';
import type { EntityManager } from './entity-manager.ts';
import { readPages, type ListPart, type PageRequest } from './keyset.ts';
import type { ListSource } from './read-replica.ts';

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
