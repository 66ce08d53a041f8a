import type { Database } from '@saleschannel/database';
import { lockExpired, uncount } from '../store/expiry.ts';

/** Removes expired issuances from the totals of lists, each in its own transaction. */
export async function uncountAllExpired(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await uncountOne(database)));
}

/** Returns false if none is left. */
const uncountOne = (database: Database): Promise<boolean> =>
  database.transaction(async (em) => {
    const issuanceId = await lockExpired(em);
    if (issuanceId === undefined) return false;
    await uncount(em, issuanceId);
    return true;
  });
