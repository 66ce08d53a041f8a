import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@saleschannel/errors';
import { env, Batcher, meter, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { z } from 'zod';
import { openDatabase, type Database, type Schema } from './database.ts';
import { type EntityManager, queryFirst, sql } from './sql.ts';
import { databaseUrl, type databaseEnvironment } from './service-database.ts';

/** The host of a URL, with an optional port. */
const address = z
  .string()
  .regex(/^(?:[\w.-]{1,253}|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i, { error: 'must be <host> or <host>:<port>' });

/** Not a secret: a standby has the databases, roles and passwords of its primary. */
export const readReplicaEnvironment = {
  DATABASE_READ_ADDRESS: env.optional(
    env.parsed('<host>:<port> of a standby of the database that may serve lists; no standby when unset', address),
  ),
} satisfies Environment;

/** More than the usual lag of a standby near its primary. After this, a page is read from the primary. */
const CATCH_UP_MS = 50;
const POLL_MS = 5;
/** After this, a page of a stalled standby is read from the primary, well within the call's deadline. */
const ANSWER_TIMEOUT_MS = 1_500;
/** How long a late or failed standby is not used. */
const RETRY_MS = 1_000;
const timeouts = { connectMs: 1_000, statementMs: 5_000 };

/** WAL position and time that a standby must have reached to show everything committed before the request. */
interface Position {
  readonly flushed: string;
  readonly now: string;
}

/**
 * Reads lists from a standby while it shows everything that was committed before the request, else from the primary. So
 * no answer is older than its request, and readers who know of a change find it in every list (ADR 34).
 *
 * This moves the work of lists off the primary, at the cost of one small statement per batch of concurrent pages. A
 * page waits for the standby for at most 50 ms, or 1.5 s if the standby stalls, which affects only the pages in
 * progress.
 */
export interface ListSource extends Part {
  /**
   * Reads a page, all of it from one server. The callback may run again on the primary, so it must only read.
   *
   * A standby may show a commit slightly before its primary does, and the next page may come from the primary. Data
   * that must not be newer than the pages after them must be read in the same callback, or from the primary.
   */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Reads from the primary, for data that must not be newer than the pages that follow. */
  readPrimary<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
}

/** Opens the list source of a service. Without the address of a standby, it reads from the primary. */
export async function openListSource(
  values: Values<typeof databaseEnvironment & typeof readReplicaEnvironment>,
  schema: Schema,
  primary: Pick<Database, 'em'>,
  logger: Logger,
): Promise<ListSource> {
  const host = values.DATABASE_READ_ADDRESS;
  if (host === undefined) return createPrimarySource(primary);
  const url = new URL(databaseUrl(values));
  url.host = host;
  const standby = await openDatabase({
    url: url.href,
    poolMax: values.DATABASE_POOL_MAX,
    poolName: 'standby',
    ...schema,
    logger,
    timeouts,
  });
  return new Replica(primary, standby, logger);
}

/** Creates a source for a service whose lists have no standby. */
export const createPrimarySource = (primary: Pick<Database, 'em'>): ListSource => ({
  read: (work) => work(primary.em()),
  readPrimary: (work) => work(primary.em()),
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
});

class Replica implements ListSource {
  readonly #primary: Pick<Database, 'em'>;
  readonly #standby: Pick<Database, 'transaction' | 'stop'>;
  readonly #logger: Logger;
  readonly #positions: Batcher<undefined, Position>;
  readonly #pages = meter().createCounter('saleschannel.list_pages', { description: 'Pages of lists, by server' });
  #isInUse = true;
  /** When the unused standby is tried again, on the `performance.now()` clock. */
  #retryAt = 0;

  constructor(primary: Pick<Database, 'em'>, standby: Pick<Database, 'transaction' | 'stop'>, logger: Logger) {
    this.#primary = primary;
    this.#standby = standby;
    this.#logger = logger;
    this.#positions = new Batcher({
      async send(batch) {
        const position = await readPosition(primary.em());
        for (const { resolve } of batch) resolve(position);
      },
      refusal: () => standbyFault('the primary did not report its position in time'),
    });
  }

  /** Does not connect, because the standby may be down. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#standby.stop();
  }

  async read<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    if (!this.#isInUse) this.#retry();
    else {
      try {
        const page = await this.#readFromStandby(work);
        this.#pages.add(1, { server: 'standby' });
        return page;
      } catch (error) {
        // An invalid request fails on every server.
        if (error instanceof DomainError && error.code !== 'unavailable') throw error;
        this.#stopUsing(error);
      }
    }
    this.#pages.add(1, { server: 'primary' });
    return this.readPrimary(work);
  }

  readPrimary<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return work(this.#primary.em());
  }

  /** Reads in one transaction, so that the page comes from the server whose position was checked. */
  #readFromStandby<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const reading = async (): Promise<T> => {
      const position = await this.#positions.request(undefined, { owner: 'lists', timeoutMs: ANSWER_TIMEOUT_MS });
      return this.#standby.transaction(async (em) => {
        await waitUntilCaughtUp(em, position);
        return work(em);
      });
    };
    return withTimeout(ANSWER_TIMEOUT_MS, reading());
  }

  #stopUsing(error: unknown): void {
    this.#retryAt = performance.now() + RETRY_MS;
    if (!this.#isInUse) return;
    this.#isInUse = false;
    this.#logger.warn({ err: error }, 'the standby is unusable; reading lists from the primary');
  }

  /** Tries the standby again in the background. */
  #retry(): void {
    if (performance.now() < this.#retryAt) return;
    this.#retryAt = Number.POSITIVE_INFINITY;
    this.#readFromStandby(() => Promise.resolve()).then(
      () => {
        this.#isInUse = true;
        this.#logger.info('the standby is usable again; reading lists from it');
      },
      (error: unknown) => this.#stopUsing(error),
    );
  }
}

/** Reads the flushed WAL position, which suffices because commits become visible only after their flush. */
async function readPosition(em: EntityManager): Promise<Position> {
  const position = await queryFirst<Position>(
    em,
    sql`select pg_current_wal_flush_lsn()::text as flushed, clock_timestamp()::text as now`,
  );
  if (!position) throw new Error('The primary returned no position.');
  return position;
}

/**
 * Waits until the standby has replayed the WAL up to the position. Its clock must have passed the time too, because
 * statements filter expired records by the clock of their server.
 * @throws DomainError 'unavailable' if that takes too long
 */
async function waitUntilCaughtUp(em: EntityManager, { flushed, now }: Position): Promise<void> {
  const statement = sql`
    select coalesce(pg_last_wal_replay_lsn() >= ${flushed}::pg_lsn, false) as "hasReplayed",
      clock_timestamp() >= ${now}::timestamptz as "hasPassed"`;
  for (const end = performance.now() + CATCH_UP_MS; ; await delay(POLL_MS)) {
    const { hasReplayed, hasPassed } =
      (await queryFirst<{ hasReplayed: boolean; hasPassed: boolean }>(em, statement)) ?? {};
    if (hasReplayed === true && hasPassed === true) return;
    if (performance.now() < end) continue;
    throw standbyFault(hasReplayed === true ? 'the clock of the standby is behind' : 'the standby is behind');
  }
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(standbyFault('the standby does not answer')), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const standbyFault = (message: string): DomainError => new DomainError('unavailable', message);
