import { internal } from '@saleschannel/errors';
import type { ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';

const MAX_CACHED_TRADERS = 50_000;

/** Caches a yes, because a trader never leaves its sales channel. */
export function createTraderCheck(traders: ServiceClient<'traderDirectory'>): Context['isTrader'] {
  const known = new LRUCache<string, true>({ max: MAX_CACHED_TRADERS });
  const use = countCacheUse('traders');
  return async (salesChannelId, traderId, within) => {
    const key = `${salesChannelId}/${traderId}`;
    if (use.count(known.get(key))) return true;
    const { parties } = await traders.GetParties({ keys: [{ salesChannelId, traderId }] }, { within });
    if (parties.length === 0) return false;
    known.set(key, true);
    return true;
  };
}

/** Does not cache, because names change. */
export const createTraderNameLookUp =
  (traders: ServiceClient<'traderDirectory'>): Context['findTraderNames'] =>
  async (salesChannelId, traderIds, within) => {
    const keys = traderIds.map((traderId) => ({ salesChannelId, traderId }));
    const { parties } = await traders.DescribeParties({ keys }, { within });
    const names = new Map(parties.map(({ traderId, name }) => [traderId, name]));
    return (id) => {
      const name = names.get(id);
      // Traders are never deleted, so every party of a transaction has a name.
      if (name === undefined) throw internal();
      return { id, name };
    };
  };

/** Does not cache, because another sales channel may just have accepted the account holder. */
export const createHolderTraderLookUp =
  (traders: ServiceClient<'traderDirectory'>): Context['findTradersOfHolder'] =>
  async (accountHolderId, within) =>
    (await traders.FindTradersOfHolder({ accountHolderId }, { within })).parties;
