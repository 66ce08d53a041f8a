import { Client } from 'pg';
import type { Stack } from '@saleschannel/local';
import { serviceUrlOf } from './database.ts';

/**
 * Looks into the databases for what could be read through the API from that moment on. Asking the API itself every two
 * milliseconds would be more load than the trades.
 */
export interface Watch {
  /** Events of the channel since the watch began. */
  countEvents(): Promise<number>;
  /** Tasks of the channel that ended by a change of the ledger since the watch began. */
  countEnded(): Promise<number>;
  /** @throws Error for a task that did not end with SUCCESS */
  checkSuccess(taskIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Both services write it with what they apply: one row, whatever the channel has traded. */
const progress = {
  name: 'progress',
  text: `select upper(applied) - 1 as last from ledger_progress where sales_channel_id = $1`,
};
const findOthers = `
  select id, status from task where id = any($1) and status <> 'SUCCESS' limit 1`;

export async function openWatch(stack: Stack, salesChannelId: string): Promise<Watch> {
  const [events, tasks] = ['events', 'tasks'].map(
    (service) => new Client({ connectionString: serviceUrlOf(stack, service) }),
  );
  if (!events || !tasks) throw new Error('there are no databases');
  await Promise.all([events.connect(), tasks.connect()]);
  const counterOf = async (client: Client): Promise<() => Promise<number>> => {
    const last = async (): Promise<number> => {
      const { rows } = await client.query<{ last: string }>({ ...progress, values: [salesChannelId] });
      return Number(rows[0]?.last ?? 0);
    };
    const before = await last();
    return async () => (await last()) - before;
  };
  return {
    countEvents: await counterOf(events),
    countEnded: await counterOf(tasks),
    async checkSuccess(taskIds) {
      const { rows } = await tasks.query<{ id: string; status: string }>(findOthers, [taskIds]);
      const [other] = rows;
      if (other) throw new Error(`task ${other.id} is ${other.status}`);
    },
    async close() {
      await Promise.all([events.end(), tasks.end()]);
    },
  };
}
