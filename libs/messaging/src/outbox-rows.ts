import { queryFirst, raw, sql, type EntityManager, type PreparingClient, type Sql } from '@saleschannel/database';
import { meter, type ObservableResult } from '@saleschannel/runtime';
import { MAX_MESSAGE_BYTES } from './envelope.ts';

/** Statements of the relay on the tables `outbox` and `outbox_refused`. */

export interface OutboxRow {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** A row, and how many rows waited at the read, at most {@link MESSAGES_PER_ROUND}. */
export interface ReadRow extends OutboxRow {
  readonly ahead: number;
}

export const MESSAGES_PER_ROUND = 100;

/**
 * Selects the oldest rows, up to about the size of one message: PostgreSQL knows the length of a text without reading
 * it. A larger row comes alone.
 * @param floor no unpublished row has this id or a lower one
 */
export const readRows = (withoutTypes: ReadonlySet<string>, withoutIds: Iterable<string>, floor: string): Sql => sql`
  with ahead as materialized (
    select id, octet_length(body) as bytes from outbox
    where id > ${floor}::bigint and type <> all(${[...withoutTypes]}::text[])
      and id <> all(${[...withoutIds]}::bigint[])
    order by id limit ${raw(String(MESSAGES_PER_ROUND))}
  ), summed as (
    select id, bytes, sum(bytes) over (order by id) as total from ahead
  )
  select outbox.id, outbox.type, outbox.body, (select count(*)::int from ahead) as ahead
  from summed join outbox on outbox.id = summed.id
  where summed.total <= ${raw(String(MAX_MESSAGE_BYTES))} or summed.total = summed.bytes
  order by outbox.id`;

export const deleteRows = (ids: readonly string[]): Sql => sql`delete from outbox where id = any(${ids}::bigint[])`;

/** Replaces a message by smaller ones that keep its creation time. */
export const replaceRow = (id: string, bodies: readonly string[]): Sql => sql`
  with gone as (delete from outbox where id = ${id} returning type, created_at)
  insert into outbox (type, body, created_at)
  select gone.type, part.body, gone.created_at from gone cross join unnest(${bodies}::text[]) as part (body)`;

/** Moves a row out of the way of the others, with the refused body and the reason. */
export const setRowAside = ({ id, body, reason }: { id: string; body: string; reason: string }): Sql => sql`
  with gone as (delete from outbox where id = ${id} returning id, type, created_at)
  insert into outbox_refused (id, type, body, created_at, reason)
  select id, type, ${body}, created_at, ${reason} from gone`;

/** Deletes refused events that were handled this many days ago, oldest first, and returns their ids. */
const deleteHandled = (days: number, atMost: number): Sql => sql`
  delete from outbox_refused where id = any(array(
    select id from outbox_refused where handled_at < now() - make_interval(days => ${days}) order by id limit ${atMost}
  ))
  returning id`;

/** Bounds of the open transactions, and the lowest id after the floor. All int8 as text. */
export interface OutboxSnapshot {
  /** Every transaction below it has ended. */
  readonly xmin: string;
  /** No transaction has reached it yet. */
  readonly xmax: string;
  readonly lowest: string | null;
}

/**
 * Reads an {@link OutboxSnapshot} in one statement, so that all its values belong to the same snapshot.
 * @param withoutIds rows that are published and not deleted yet
 */
export const readSnapshot = (floor: string, withoutIds: readonly string[]): Sql => sql`
  select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
    (select min(id) from outbox where id > ${floor}::bigint and id <> all(${withoutIds}::bigint[]))::text as lowest`;

/** Age of the oldest unpublished event, in seconds. */
const readLag = (floor: string): Sql => sql`
  select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::text as lag from outbox
  where id > ${floor}::bigint`;

/** Counts events that were refused for good and are not handled yet. */
const countRefused = sql`select count(*)::int as refused from outbox_refused where handled_at is null`;

/** Pending rows in a service's outbox. */
export interface OutboxState {
  readonly ageSeconds: number;
  /** Events that the broker refused for good and that are not handled yet. An int8 as text. */
  readonly refused: string;
}

export async function readOutboxState(em: EntityManager): Promise<OutboxState> {
  const [lag, refused] = await Promise.all([
    queryFirst<{ lag: string }>(em, readLag('0')),
    queryFirst<{ refused: number }>(em, countRefused),
  ]);
  return { ageSeconds: Number(lag?.lag ?? 0), refused: String(refused?.refused ?? 0) };
}

const KEEP_ALIVE_MS = 2_000;
export const KEEP_ALIVE = sql`select`;

/** Keeps the relay's session alive while the broker is slow. */
export async function withKeepAlive<T>(client: PreparingClient, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void client.run(KEEP_ALIVE).catch(() => undefined), KEEP_ALIVE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const RETENTION_DAYS = 90;
const INTERVAL_MS = 60 * 60_000;
const ROWS_PER_RUN = 1_000;

/**
 * Deletes handled events from `outbox_refused`, which would grow forever. The active relay runs it between two rounds,
 * so it runs in every service with an outbox, in one replica only. Unhandled events stay.
 */
export class RefusedRetention {
  readonly #removed = meter().createCounter('saleschannel.outbox.refused_removed', {
    description: 'Refused events deleted after they were handled and retained',
  });
  #dueAt = 0;

  /**
   * Deletes a bounded number, at intervals.
   * @param client outside of any transaction
   */
  async removeIfDue(client: PreparingClient): Promise<void> {
    if (performance.now() < this.#dueAt) return;
    const { length: removed } = await client.run(deleteHandled(RETENTION_DAYS, ROWS_PER_RUN));
    if (removed > 0) this.#removed.add(removed);
    // The next round deletes the rest.
    if (removed < ROWS_PER_RUN) this.#dueAt = performance.now() + INTERVAL_MS;
  }
}

interface OutboxMetricsOptions {
  /** The session of the relay, if it has one. */
  session(): PreparingClient | undefined;
  /** An id below which all rows are published. */
  publishedUpTo(): bigint;
}

/** Reports the lag and the refused events of an outbox, over the relay's session. */
export class OutboxMetrics {
  readonly #options: OutboxMetricsOptions;
  readonly #lag = meter().createObservableGauge('saleschannel.outbox.lag', {
    unit: 's',
    description: 'Age of the oldest unpublished event',
  });
  readonly #refused = meter().createObservableGauge('saleschannel.outbox.refused', {
    description: 'Events permanently refused by the broker',
  });

  constructor(options: OutboxMetricsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lag.addCallback(this.#observeLag);
    this.#refused.addCallback(this.#observeRefused);
  }

  stop(): void {
    this.#lag.removeCallback(this.#observeLag);
    this.#refused.removeCallback(this.#observeRefused);
  }

  readonly #observeLag = async (result: ObservableResult): Promise<void> => {
    const row = await this.#read<{ lag: string }>(readLag(String(this.#options.publishedUpTo())));
    if (row) result.observe(Number(row.lag));
  };

  readonly #observeRefused = async (result: ObservableResult): Promise<void> => {
    const row = await this.#read<{ refused: number }>(countRefused);
    if (row) result.observe(row.refused);
  };

  async #read<Row extends object>(statement: Sql): Promise<Row | undefined> {
    const [row] =
      (await this.#options
        .session()
        ?.run<Row>(statement)
        .catch(() => undefined)) ?? [];
    return row;
  }
}
