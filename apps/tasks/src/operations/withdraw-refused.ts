import type { Database } from '@saleschannel/database';
import { z } from 'zod';
import { taskMessages } from '../domain/task.ts';
import { takeRefused, withdrawTasks } from '../store/announcements.ts';
import type { Announcer } from './announce.ts';

const MESSAGES_AT_MOST = 10;

const announced = z.object({ entries: z.array(z.object({ taskId: z.string(), salesChannelId: z.string() })) });

/**
 * Withdraws transfers whose announcement the broker refused for good. The tasks end when the ledger says so: it may
 * know of them by an earlier announcement. Returns how many tasks there were.
 */
export const withdrawRefused = (database: Database, announcer: Announcer): Promise<number> =>
  database.transaction(async (em) => {
    const bodies = await takeRefused(em, MESSAGES_AT_MOST);
    const refused = bodies.flatMap((body) => announced.parse(JSON.parse(body)).entries);
    if (refused.length === 0) return 0;
    const withdrawn = await withdrawTasks(em, refused, taskMessages.unannounced);
    announcer.withdrawals(em, withdrawn);
    return withdrawn.length;
  });
