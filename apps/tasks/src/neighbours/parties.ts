import { LRUCache } from 'lru-cache';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import type { Party } from '../domain/destination.ts';

export interface PartyKey {
  readonly salesChannelId: string;
  readonly traderId: string;
}

/** Returns one of the traders looked up. Undefined if the channel has no such trader. */
export type PartyFinder = (key: PartyKey) => Party | undefined;

export interface Parties {
  /** Looks up all traders in one call. */
  find(keys: readonly PartyKey[], within: Call): Promise<PartyFinder>;
}

const MAX_CACHED = 100_000;

const toText = ({ salesChannelId, traderId }: PartyKey): string => `${salesChannelId}/${traderId}`;

/**
 * Asks the traders service once per trader, whose channel and account holder never change. Unknown traders are not
 * cached.
 */
export function createParties(traders: ServiceClient<'traderDirectory'>): Parties {
  const cache = new LRUCache<string, Party>({ max: MAX_CACHED });
  const use = countCacheUse('parties');
  return {
    async find(keys, within) {
      const found = new Map<string, Party>();
      const missing = new Map<string, PartyKey>();
      for (const key of keys) {
        const party = use.count(cache.get(toText(key)));
        if (party) found.set(toText(key), party);
        else missing.set(toText(key), key);
      }
      if (missing.size > 0) {
        const { parties } = await traders.GetParties({ keys: [...missing.values()] }, { within });
        for (const { accountHolderId, ...key } of parties) {
          const party: Party = { accountHolderId };
          cache.set(toText(key), party);
          found.set(toText(key), party);
        }
      }
      return (key) => found.get(toText(key));
    },
  };
}
