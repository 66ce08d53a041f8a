import type { Database } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import type { Logger, Part } from '@saleschannel/runtime';
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

/** Looks for forgotten tasks from time to time. */
export function createPickUp(options: { database: Database; seconds: number; logger: Logger }): Part {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const count = await pickUpForgotten(options.database, options.seconds);
      if (count > 0)
        options.logger.warn(`${count} task(s) heard nothing for ${options.seconds} s and are announced again`);
    } catch (error) {
      options.logger.warn(`looking for forgotten tasks: ${(error as Error).message}`);
    }
  };
  return {
    start() {
      timer = setInterval(() => (running = running.then(look)), (options.seconds * 1_000) / 3);
      return Promise.resolve();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
