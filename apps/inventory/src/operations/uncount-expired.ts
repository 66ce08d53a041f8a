import type { Database } from '@saleschannel/database';
import { lockExpired, uncount } from '../store/expiry.ts';

/** Takes issuances whose certificates have expired out of the totals of lists, each in a transaction of its own. */
export async function uncountAllExpired(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await uncountOne(database)));
}

/** False when there is none. */
const uncountOne = (database: Database): Promise<boolean> =>
  database.transaction(async (em) => {
    const issuanceId = await lockExpired(em);
    if (issuanceId === undefined) return false;
    await uncount(em, issuanceId);
    return true;
  });
