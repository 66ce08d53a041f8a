import {
  countSome,
  limitOfCount,
  query,
  queryFirst,
  raw,
  sql,
  type CountOfSome,
  type EntityManager,
} from '@saleschannel/database';
import { lowestIdAt } from '@saleschannel/primitives';

/** Places for tasks that wait for the ledger. */
export interface WaitingLimits {
  readonly inAll: number;
  /** For one sales channel. */
  readonly perChannel: number;
}

/** Places that are taken by tasks that wait for the ledger. A channel that is missing has none. */
export interface Waiting {
  readonly inAll: number;
  readonly perChannel: ReadonlyMap<string, number>;
}

/**
 * A task takes one place per so many bytes of its request, and at least one. All places of a channel then fit into what
 * a consumer of the ledger holds at once (150 messages of 128 KiB), where channels take turns.
 */
const BYTES_PER_PLACE = 4_096;
/** About as many selections have this size. */
const SELECTIONS_PER_PLACE = 40;

/** Estimates the places of a transfer that is not stored yet. */
export const placesFor = (selections: number): number => Math.max(1, Math.floor(selections / SELECTIONS_PER_PLACE));

/** An id this much older than now is of a task that was inserted before: its call would have ended. */
const INSERTED_WITHIN_MS = 60_000;
const COUNT_ALL_EVERY_MS = 60_000;

/**
 * Counts the places of tasks that the ledger has not answered, in all and per channel. Reads only what waits, and of
 * each request its length, which PostgreSQL knows without reading the text.
 *
 * Ids sort by time, so a count begins at the oldest task that waited at the one before. Otherwise a snapshot that
 * somebody holds, such as an audit or a dump, keeps all answered tasks in the index, and each count walks over them. A
 * replica whose clock is late makes older ids than that, so everything is counted once a minute.
 */
export class WaitingCounter {
  #lowest: string | undefined;
  #countAllAt = -Infinity;

  /** One count at a time. */
  async count(em: EntityManager): Promise<Waiting> {
    const now = performance.now();
    const isOfAll = now >= this.#countAllAt;
    const rows = await query<{ channel: string; count: number; lowest: string }>(
      em,
      sql`select sales_channel_id as channel, min(task_id) as lowest,
            sum(greatest(1, octet_length(request) / ${raw(String(BYTES_PER_PLACE))}))::int as count
          from waiting_task where task_id >= ${isOfAll ? '' : this.#floor()} group by sales_channel_id`,
    );
    if (isOfAll) this.#countAllAt = now + COUNT_ALL_EVERY_MS;
    this.#lowest = undefined;
    for (const { lowest } of rows) if (this.#lowest === undefined || lowest < this.#lowest) this.#lowest = lowest;
    return {
      inAll: rows.reduce((sum, { count }) => sum + count, 0),
      perChannel: new Map(rows.map(({ channel, count }) => [channel, count])),
    };
  }

  #floor(): string {
    const young = lowestIdAt(Date.now() - INSERTED_WITHIN_MS);
    return this.#lowest !== undefined && this.#lowest < young ? this.#lowest : young;
  }
}

/** How many tasks the ledger has not answered yet. */
export async function countWaiting(em: EntityManager): Promise<number> {
  const row = await queryFirst<{ count: number }>(em, sql`select count(*)::int as count from waiting_task`);
  return row?.count ?? 0;
}

/**
 * Counts the tasks of a channel that are PENDING: those that the ledger has not answered, and those that wait for an
 * approval.
 */
export const countOpenTasks = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(
    em,
    sql`(select task_id from waiting_task where sales_channel_id = ${salesChannelId} ${limitOfCount})
        union (
          select id from exceptional_task where sales_channel_id = ${salesChannelId} and status = 'PENDING'
          ${limitOfCount}
        )`,
  );
