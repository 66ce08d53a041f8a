import type { Sealer } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { resealSecrets } from '../operations/secrets.ts';

const EVERY_MS = 60_000;
const RESEALED_AT_ONCE = 100;

/** Seals secrets under the current key. Not at once: replicas of before, which do not have it, may still run. */
export const createResealing = (database: Database, sealer: Sealer, logger: Logger): Part =>
  createJob({
    everyMs: EVERY_MS,
    async work(signal) {
      while ((await resealSecrets(database, sealer, RESEALED_AT_ONCE)) === RESEALED_AT_ONCE && signal.aborted !== true);
    },
    failed: (error) => logger.warn({ err: error }, 'secrets of webhook endpoints cannot be sealed anew'),
  });
