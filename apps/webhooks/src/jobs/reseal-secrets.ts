import type { Sealer } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { resealSecrets } from '../operations/secrets.ts';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 100;

/** Seals secrets under the current key, after a delay: replicas without that key may still run. */
export const createResealingJob = (database: Database, sealer: Sealer, logger: Logger): Part =>
  createJob({
    everyMs: INTERVAL_MS,
    async work(signal) {
      while ((await resealSecrets(database, sealer, BATCH_SIZE)) === BATCH_SIZE && signal.aborted !== true);
    },
    onError: (error) => logger.warn({ err: error }, 'secrets of webhook endpoints cannot be sealed again'),
  });
