import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@saleschannel/errors';
import { env, Gatherer, meter, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { z } from 'zod';
import { openDatabase, type Database, type Schema } from './database.ts';
import type { EntityManager } from './entity-manager.ts';
import { databaseUrl, type databaseEnvironment } from './service-database.ts';
import { queryFirst, sql } from './sql.ts';

/** What a URL takes as its host, and perhaps a port. */
const address = z
  .string()
  .regex(/^(?:[\w.-]{1,253}|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i, { error: 'must be <host> or <host>:<port>' });

/** No secret: a standby has the databases, roles and passwords of its primary. */
export const readReplicaEnvironment = {
  DATABASE_READ_ADDRESS: env.optional(
    env.parsed('<host>:<port> of a standby of the database that may serve lists; no standby when unset', address),
  ),
} satisfies Environment;

/** Longer than a standby beside its primary is behind. A page that waited so long for it is read from the primary. */
const CATCH_UP_MS = 50;
const LOOK_MS = 5;
/** A page of a standby that stands still is read from the primary then, well within the deadline of the call. */
const ANSWER_MS = 1_500;
/** So long a standby is left alone that was late, or failed. */
const AGAIN_MS = 1_000;
const patience = { connectMs: 1_000, statementMs: 5_000 };

/** What a standby must have replayed, and passed by its clock, to know all that had happened when this was asked. */
interface Position {
  readonly flushed: string;
  readonly now: string;
}

/**
 * Where lists are read: a standby, as long as it knows everything that had been committed when the page was asked for,
 * else the primary. So no answer is older than its question, and whoever has learnt of a change finds it in every list
 * (ADR 34).
 *
 * It gains the work of lists on the primary, and costs it one small statement for all pages that are asked for at the
 * same time. It risks the time for which a page waits for the standby: at most 50 ms, or 1.5 s when the standby stands
 * still, and then for those under way alone.
 */
export interface ListSource extends Part {
  /**
   * Reads a page, all of it from one server. The work may be done again on the primary, so it only reads.
   *
   * A standby may show a commit a moment before its primary does, and the next page may come from there. What must not
   * be newer than the pages after it is therefore read in the same work, or of the primary.
   */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Of the primary, whatever standby there is: for what must not be newer than the pages that follow. */
  readPrimary<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
}

/** Without an address of a standby: the primary. */
export async function openListSource(
  values: Values<typeof databaseEnvironment & typeof readReplicaEnvironment>,
  schema: Schema,
  primary: Pick<Database, 'em'>,
  logger: Logger,
): Promise<ListSource> {
  const host = values.DATABASE_READ_ADDRESS;
  if (host === undefined) return primaryAlone(primary);
  const url = new URL(databaseUrl(values));
  url.host = host;
  const standby = await openDatabase({
    url: url.href,
    poolMax: values.DATABASE_POOL_MAX,
    poolName: 'standby',
    ...schema,
    logger,
    patience,
  });
  return new Replica(primary, standby, logger);
}

/** For a service whose lists have no standby. */
export const primaryAlone = (primary: Pick<Database, 'em'>): ListSource => ({
  read: (work) => work(primary.em()),
  readPrimary: (work) => work(primary.em()),
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
});

class Replica implements ListSource {
  readonly #primary: Pick<Database, 'em'>;
  readonly #standby: Pick<Database, 'transaction' | 'stop'>;
  readonly #logger: Logger;
  readonly #positions: Gatherer<undefined, Position>;
  readonly #pages = meter().createCounter('saleschannel.list_pages', { description: 'Pages of lists, by server' });
  #isNear = true;
  /** While it is not near: when it is looked at again, of performance.now(). */
  #again = 0;

  constructor(primary: Pick<Database, 'em'>, standby: Pick<Database, 'transaction' | 'stop'>, logger: Logger) {
    this.#primary = primary;
    this.#standby = standby;
    this.#logger = logger;
    this.#positions = new Gatherer({
      async ask(batch) {
        const position = await positionOf(primary.em());
        for (const { resolve } of batch) resolve(position);
      },
      refusal: () => standbyFault('the position of the primary is not known in time'),
    });
  }

  /** The standby need not be there. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#standby.stop();
  }

  async read<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    if (!this.#isNear) this.#lookAgain();
    else {
      try {
        const page = await this.#readFromStandby(work);
        this.#pages.add(1, { server: 'standby' });
        return page;
      } catch (error) {
        // What is wrong with the question is so everywhere.
        if (error instanceof DomainError && error.code !== 'unavailable') throw error;
        this.#leave(error);
      }
    }
    this.#pages.add(1, { server: 'primary' });
    return this.readPrimary(work);
  }

  readPrimary<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return work(this.#primary.em());
  }

  /** In one transaction, so that the page comes from the server that was asked how far it is. */
  #readFromStandby<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const reading = async (): Promise<T> => {
      const position = await this.#positions.ask(undefined, { owner: 'lists', timeoutMs: ANSWER_MS });
      return this.#standby.transaction(async (em) => {
        await caughtUp(em, position);
        return work(em);
      });
    };
    return within(ANSWER_MS, reading());
  }

  #leave(error: unknown): void {
    this.#again = performance.now() + AGAIN_MS;
    if (!this.#isNear) return;
    this.#isNear = false;
    this.#logger.warn({ err: error }, 'the standby cannot be used: lists are read from the primary');
  }

  /** Nobody waits for it. */
  #lookAgain(): void {
    if (performance.now() < this.#again) return;
    this.#again = Number.POSITIVE_INFINITY;
    this.#readFromStandby(() => Promise.resolve()).then(
      () => {
        this.#isNear = true;
        this.#logger.info('the standby is back: lists are read from it');
      },
      (error: unknown) => this.#leave(error),
    );
  }
}

/** Whatever anybody has seen of the primary is flushed: a commit shows after that. */
async function positionOf(em: EntityManager): Promise<Position> {
  const position = await queryFirst<Position>(
    em,
    sql`select pg_current_wal_flush_lsn()::text as flushed, clock_timestamp()::text as now`,
  );
  if (!position) throw new Error('the primary has no position');
  return position;
}

/**
 * Waits until the standby has replayed up to the position. Its clock must have passed it too, as what has expired is
 * not listed, by the clock of the server that is asked.
 * @throws DomainError 'unavailable' when that takes too long
 */
async function caughtUp(em: EntityManager, { flushed, now }: Position): Promise<void> {
  const question = sql`
    select coalesce(pg_last_wal_replay_lsn() >= ${flushed}::pg_lsn, false) as "hasReplayed",
      clock_timestamp() >= ${now}::timestamptz as "isInTime"`;
  for (const end = performance.now() + CATCH_UP_MS; ; await delay(LOOK_MS)) {
    const { hasReplayed, isInTime } =
      (await queryFirst<{ hasReplayed: boolean; isInTime: boolean }>(em, question)) ?? {};
    if (hasReplayed === true && isInTime === true) return;
    if (performance.now() < end) continue;
    throw standbyFault(hasReplayed === true ? 'the clock of the standby is behind' : 'the standby is behind');
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(standbyFault('the standby does not answer')), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const standbyFault = (message: string): DomainError => new DomainError('unavailable', message);
