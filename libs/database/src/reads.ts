import { DomainError } from '@saleschannel/errors';
import { FairShare } from '@saleschannel/runtime';
import type { EntityManager } from './entity-manager.ts';
import { pagesOf, type ListPart, type PageAsked } from './keyset.ts';
import type { ListSource } from './read-replica.ts';

/** Pages that wait for one reader at most. Beyond it the reader is told to come back. */
const WAITING_AT_MOST = 200;
/** Lists of any length that one reader may have under way. A slow reader holds some pieces and two pages for each. */
const LISTS_AT_MOST = 32;
const RETRY_AFTER_SECONDS = 1;
const ROWS_AT_ONCE = 1_000;

/**
 * How lists are read: a page at a time, on a connection that is given back before anything is sent. However slowly a
 * client reads, it holds no connection and no transaction.
 *
 * About half of the connections of calls at most read pages, half of these for one reader (a sales channel, or the
 * account holder of a registry key). So neither slow nor many reads of one reader keep others from theirs, or writers
 * from their connections.
 */
export interface Reads {
  /**
   * Reads one page as soon as it is the reader's turn, perhaps from a standby, which knows all that was committed when
   * it was asked for.
   * @throws DomainError 'unavailable' with a time to wait, when too many pages wait for this reader
   */
  page<T>(reader: string, read: (em: EntityManager) => Promise<T>): Promise<T>;
  /** The same of the primary: what must not be newer than the pages that are read after it. */
  pageOfPrimary<T>(reader: string, read: (em: EntityManager) => Promise<T>): Promise<T>;
  /**
   * Reads a list of any length, part by part. One that fits a single part, as most do, is one statement and so one
   * snapshot. It counts as under way until its end.
   * @throws DomainError 'unavailable' with a time to wait, when this reader has too many under way
   */
  list<Row>(
    reader: string,
    read: (em: EntityManager, part: PageAsked) => Promise<ListPart<Row>>,
  ): AsyncGenerator<Row[]>;
  /**
   * Counts what is made in pieces as one list that is under way.
   * @throws DomainError 'unavailable' with a time to wait, when this reader has too many under way
   */
  counted<Piece>(reader: string, pieces: () => AsyncIterable<Piece>): AsyncGenerator<Piece>;
}

/** @param poolMax how many connections there are for calls */
export function createReads(source: Pick<ListSource, 'read' | 'readPrimary'>, poolMax: number): Reads {
  const atOnce = Math.ceil(poolMax / 2);
  const share = new FairShare({
    atOnce,
    atOnceEach: Math.ceil(atOnce / 2),
    waitingEach: WAITING_AT_MOST,
    refusal: tooMany,
  });
  const underWay = new Map<string, number>();
  return {
    page: (reader, read) => share.run(reader, () => source.read(read)),
    pageOfPrimary: (reader, read) => share.run(reader, () => source.readPrimary(read)),
    list(reader, read) {
      return this.counted(reader, () =>
        pagesOf((after) => this.page(reader, (em) => read(em, { limit: ROWS_AT_ONCE, after }))),
      );
    },
    async *counted(reader, pieces) {
      const lists = underWay.get(reader) ?? 0;
      if (lists >= LISTS_AT_MOST) throw tooMany();
      underWay.set(reader, lists + 1);
      try {
        yield* pieces();
      } finally {
        const left = (underWay.get(reader) ?? 1) - 1;
        if (left > 0) underWay.set(reader, left);
        else underWay.delete(reader);
      }
    },
  };
}

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too many of your lists are being read at once: try again when some have ended.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
