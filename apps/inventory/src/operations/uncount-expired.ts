import type { Database } from '@saleschannel/database';
import { lockExpiredIssuance, removeFromTotals } from '../store/expiry.ts';

/** Removes expired issuances from the totals of lists, each in its own transaction. */
export async function removeExpiredFromTotals(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await uncountOne(database)));
}

/** Returns false if none is left. */
const uncountOne = (database: Database): Promise<boolean> =>
  database.transaction(async (em) => {
    const issuanceId = await lockExpiredIssuance(em);
    if (issuanceId === undefined) return false;
    await removeFromTotals(em, issuanceId);
    return true;
  });
