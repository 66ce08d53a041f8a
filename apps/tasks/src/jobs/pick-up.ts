import type { Database } from '@saleschannel/database';
import type { Logger, Part } from '@saleschannel/runtime';
import { pickUpForgotten } from '../operations/pick-up-forgotten.ts';

/** Looks for forgotten tasks from time to time. */
export function createPickUp(options: { database: Database; seconds: number; logger: Logger }): Part {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const count = await pickUpForgotten(options.database, options.seconds);
      if (count > 0)
        options.logger.warn(
          `the ledger has not answered ${count} task(s) for ${options.seconds} s; announcing them again`,
        );
    } catch (error) {
      options.logger.warn({ err: error }, 'cannot look for tasks without an answer');
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
