import { query, raw, sql, type Database } from '@saleschannel/database';
import { createTestDatabase, openTestDatabase } from '@saleschannel/testing';
import { schema } from '../../src/store/schema.ts';

/** The database of the ledger without a running service, so that the outbox is not relayed. */
export interface BareLedger {
  readonly database: Database;
  /** Inserts numbered changes of status, as if transfers had ended. */
  insertChanges(salesChannelId: string, first: number, last: number, secondsAgo?: number): Promise<void>;
  /** Returns the published events in order, and removes them. */
  takePublished(): Promise<{ salesChannelId: string; sequence: string }[]>;
  run(text: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startBareLedger(): Promise<BareLedger> {
  const created = await createTestDatabase();
  const database = await openTestDatabase({ url: created.url, poolMax: 6, ...schema });
  await database.migrate();
  return {
    database,
    async insertChanges(salesChannelId, first, last, secondsAgo = 0) {
      await query(
        database.em(),
        sql`insert into status_change (
              sales_channel_id, sequence, transaction_id, task_id, status, event_id, effective_at, recorded_at
            )
            select ${salesChannelId}, number, ${salesChannelId} || '-' || number, 'task', 'SUCCESS', 'event', now(),
              clock_timestamp() - make_interval(secs => ${secondsAgo}::int)
            from generate_series(${first}::int, ${last}::int) as number`,
      );
      await query(
        database.em(),
        sql`insert into channel_sequence (sales_channel_id, last) values (${salesChannelId}, ${last}::int)
            on conflict (sales_channel_id) do update set last = excluded.last`,
      );
    },
    async takePublished() {
      const rows: { body: string }[] = await query(
        database.em(),
        sql`with deleted as (delete from outbox returning id, body) select body from deleted order by id`,
      );
      return rows.flatMap(
        ({ body }) => (JSON.parse(body) as { entries: { salesChannelId: string; sequence: string }[] }).entries,
      );
    },
    run: async (text) => void (await query(database.em(), sql`${raw(text)}`)),
    async stop() {
      await database.stop();
      await created.drop();
    },
  };
}
