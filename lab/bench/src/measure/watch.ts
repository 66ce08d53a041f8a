import { Client } from 'pg';
import type { Stack } from '@saleschannel/local';
import { serviceUrlOf } from './database.ts';

/**
 * Counts events of a channel in the database of the log. Asking the API would take from what the channel may send, and
 * from what is measured.
 */
export interface Watch {
  /** Events of the channel since the watch began. */
  countEvents(): Promise<number>;
  close(): Promise<void>;
}

/** One row, whatever the channel has traded. */
const progress = {
  name: 'progress',
  text: `select upper(applied) - 1 as last from ledger_progress where sales_channel_id = $1`,
};

export async function openWatch(stack: Stack, salesChannelId: string): Promise<Watch> {
  const client = new Client({ connectionString: serviceUrlOf(stack, 'events') });
  await client.connect();
  const last = async (): Promise<number> => {
    const { rows } = await client.query<{ last: string }>({ ...progress, values: [salesChannelId] });
    return Number(rows[0]?.last ?? 0);
  };
  const before = await last();
  return { countEvents: async () => (await last()) - before, close: () => client.end() };
}
