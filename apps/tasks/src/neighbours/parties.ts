import { LRUCache } from 'lru-cache';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import type { Party } from '../domain/destination.ts';

export interface PartyKey {
  readonly salesChannelId: string;
  readonly traderId: string;
}

/** Finds one of the traders that were asked for. Undefined when there is no such trader in the channel. */
export type PartyFinder = (key: PartyKey) => Party | undefined;

export interface Parties {
  /** Looks traders up, all at once. */
  find(keys: readonly PartyKey[], within: Call): Promise<PartyFinder>;
}

const PARTIES_REMEMBERED = 100_000;

const textOf = ({ salesChannelId, traderId }: PartyKey): string => `${salesChannelId}/${traderId}`;

/**
 * Asks the traders service once per trader: neither its channel nor its account holder ever changes. That there is
 * no such trader is not remembered.
 */
export function createParties(traders: ServiceClient<'traderDirectory'>): Parties {
  const known = new LRUCache<string, Party>({ max: PARTIES_REMEMBERED });
  const use = countCacheUse('parties');
  return {
    async find(keys, within) {
      const found = new Map<string, Party>();
      const asked = new Map<string, PartyKey>();
      for (const key of keys) {
        const party = use.found(known.get(textOf(key)));
        if (party) found.set(textOf(key), party);
        else asked.set(textOf(key), key);
      }
      if (asked.size > 0) {
        const { parties } = await traders.GetParties({ keys: [...asked.values()] }, { within });
        for (const { accountHolderId, ...key } of parties) {
          const party: Party = { accountHolderId };
          known.set(textOf(key), party);
          found.set(textOf(key), party);
        }
      }
      return (key) => found.get(textOf(key));
    },
  };
}
