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
  /** Those of the tasks that have ended. @throws Error for one that ended otherwise than with SUCCESS */
  findEnded(taskIds: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

const countEvents = {
  name: 'events',
  text: `select upper(applied) - 1 as last from ledger_progress where sales_channel_id = $1`,
};
const findEnded = {
  name: 'ended',
  text: `select id, status from task where id = any($1) and status <> 'PENDING'`,
};

export async function openWatch(stack: Stack, salesChannelId: string): Promise<Watch> {
  const [events, tasks] = ['events', 'tasks'].map(
    (service) => new Client({ connectionString: serviceUrlOf(stack, service) }),
  );
  if (!events || !tasks) throw new Error('there are no databases');
  await Promise.all([events.connect(), tasks.connect()]);
  const last = async (): Promise<number> => {
    const { rows } = await events.query<{ last: string }>({ ...countEvents, values: [salesChannelId] });
    return Number(rows[0]?.last ?? 0);
  };
  const before = await last();
  return {
    countEvents: async () => (await last()) - before,
    async findEnded(taskIds) {
      const { rows } = await tasks.query<{ id: string; status: string }>({ ...findEnded, values: [taskIds] });
      const other = rows.find(({ status }) => status !== 'SUCCESS');
      if (other) throw new Error(`a task ended ${other.status}`);
      return rows.map(({ id }) => id);
    },
    async close() {
      await Promise.all([events.end(), tasks.end()]);
    },
  };
}
