import {
  countBounded,
  countLimit,
  query,
  queryFirst,
  raw,
  sql,
  type BoundedCount,
  type EntityManager,
} from '@saleschannel/database';
import { lowestIdAt } from '@saleschannel/primitives';

/** Slots for tasks that wait for the ledger. */
export interface WaitingLimits {
  readonly total: number;
  /** For one sales channel. */
  readonly perChannel: number;
}

/** Slots used by tasks that wait for the ledger. A channel without an entry uses none. */
export interface Waiting {
  readonly total: number;
  readonly perChannel: ReadonlyMap<string, number>;
}

/**
 * Size of a request per slot; a task uses at least one. All slots of a channel then fit into what a consumer of the
 * ledger holds at once (150 messages of 128 KiB), among which it schedules channels round-robin.
 */
const BYTES_PER_SLOT = 4_096;
/** Number of selections that are about as large as a slot. */
const SELECTIONS_PER_SLOT = 40;

/** Estimates the slots of a transfer that is not stored yet. */
export const estimateSlots = (selections: number): number => Math.max(1, Math.floor(selections / SELECTIONS_PER_SLOT));

/** Longer than a call takes from creating a task's id to inserting it. */
const INSERTED_WITHIN_MS = 60_000;
const COUNT_ALL_EVERY_MS = 60_000;

/**
 * Counts the slots of unanswered tasks, in total and per channel. Reads only waiting tasks, and only the length of each
 * request, which PostgreSQL knows without reading the text.
 *
 * Ids sort by time, so a count starts at the oldest task of the previous count. Otherwise, while a long snapshot (an
 * audit or a dump) keeps answered tasks in the index, each count would scan them. A replica with a slow clock creates
 * older ids, so all tasks are counted once a minute.
 */
export class WaitingCounter {
  #lowest: string | undefined;
  #countAllAt = -Infinity;

  /** Not for concurrent calls. */
  async count(em: EntityManager): Promise<Waiting> {
    const now = performance.now();
    const isFull = now >= this.#countAllAt;
    const rows = await query<{ channel: string; count: number; lowest: string }>(
      em,
      sql`select sales_channel_id as channel, min(task_id) as lowest,
            sum(greatest(1, octet_length(request) / ${raw(String(BYTES_PER_SLOT))}))::int as count
          from waiting_task where task_id >= ${isFull ? '' : this.#floor()} group by sales_channel_id`,
    );
    if (isFull) this.#countAllAt = now + COUNT_ALL_EVERY_MS;
    this.#lowest = undefined;
    for (const { lowest } of rows) if (this.#lowest === undefined || lowest < this.#lowest) this.#lowest = lowest;
    return {
      total: rows.reduce((sum, { count }) => sum + count, 0),
      perChannel: new Map(rows.map(({ channel, count }) => [channel, count])),
    };
  }

  #floor(): string {
    const young = lowestIdAt(Date.now() - INSERTED_WITHIN_MS);
    return this.#lowest !== undefined && this.#lowest < young ? this.#lowest : young;
  }
}

/** Counts the tasks that the ledger has not answered. */
export async function countWaiting(em: EntityManager): Promise<number> {
  const row = await queryFirst<{ count: number }>(em, sql`select count(*)::int as count from waiting_task`);
  return row?.count ?? 0;
}

/**
 * Counts the PENDING tasks of a channel, up to a limit: tasks without an answer of the ledger, and tasks that wait
 * for an approval.
 */
export const countOpenTasks = (em: EntityManager, salesChannelId: string): Promise<BoundedCount> =>
  countBounded(
    em,
    sql`(select task_id from waiting_task where sales_channel_id = ${salesChannelId} ${countLimit})
        union (
          select id from exceptional_task where sales_channel_id = ${salesChannelId} and status = 'PENDING'
          ${countLimit}
        )`,
  );
