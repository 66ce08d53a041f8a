import type { Database } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import { hasUnpublished, takeForgotten } from '../store/tasks.ts';

const TASKS_AT_ONCE = 500;

/**
 * Announces tasks again that the ledger has not answered: a crash or a lost queue leaves none behind. Returns how
 * many. While announcements wait for the broker it does nothing, since it would only add to them.
 */
export const pickUpForgotten = (database: Database, olderThanSeconds: number): Promise<number> =>
  database.transaction(async (em) => {
    if (await hasUnpublished(em)) return 0;
    const requests = await takeForgotten(em, olderThanSeconds, TASKS_AT_ONCE);
    await enqueue(em, 'tasks.transfer.requested.v1', requests);
    return requests.length;
  });
