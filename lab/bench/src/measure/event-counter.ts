import { Client } from 'pg';
import type { Stack } from '@saleschannel/local';
import { buildServiceUrl } from './database.ts';

/**
 * Counts a channel's events in the database of the log. Requests to the API would use the channel's rate limit and
 * affect the measurement.
 */
export interface EventCounter {
  /** Events of the channel since the watch began. */
  countEvents(): Promise<number>;
  close(): Promise<void>;
}

/** Reads one row, regardless of the number of trades. */
const progress = {
  name: 'progress',
  text: `select upper(applied) - 1 as last from ledger_progress where sales_channel_id = $1`,
};

export async function openEventCounter(stack: Stack, salesChannelId: string): Promise<EventCounter> {
  const client = new Client({ connectionString: buildServiceUrl(stack, 'events') });
  await client.connect();
  const last = async (): Promise<number> => {
    const { rows } = await client.query<{ last: string }>({ ...progress, values: [salesChannelId] });
    return Number(rows[0]?.last ?? 0);
  };
  const before = await last();
  return { countEvents: async () => (await last()) - before, close: () => client.end() };
}
