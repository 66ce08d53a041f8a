import type { ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';

const TRADERS_REMEMBERED = 50_000;

/** Asks the traders service once for each trader. A trader never leaves its channel, so that a yes stays a yes. */
export function createTraderCheck(traders: ServiceClient<'traderDirectory'>): Context['isTrader'] {
  const known = new LRUCache<string, true>({ max: TRADERS_REMEMBERED });
  const use = countCacheUse('traders');
  return async (salesChannelId, traderId, within) => {
    const key = `${salesChannelId}/${traderId}`;
    if (use.found(known.get(key))) return true;
    const { parties } = await traders.GetParties({ keys: [{ salesChannelId, traderId }] }, { within });
    if (parties.length === 0) return false;
    known.set(key, true);
    return true;
  };
}
