import { LRUCache } from 'lru-cache';
import type { services } from '@saleschannel/contracts';
import type { Call, ServiceClient } from '@saleschannel/grpc';

export interface PartyKey {
  salesChannelId: string;
  traderId: string;
}

/** A trader of a channel, as far as a transfer needs to know him. */
export interface Party {
  /** Set for a trader that was onboarded by proposal. */
  readonly accountHolderId: string | undefined;
}

export interface Parties {
  /** Those of the keys that are traders, by `salesChannelId/traderId`. */
  find(keys: readonly PartyKey[], within: Call): Promise<ReadonlyMap<string, Party>>;
}

export const partyId = ({ salesChannelId, traderId }: PartyKey): string => `${salesChannelId}/${traderId}`;

const PARTIES_REMEMBERED = 100_000;

/** Asks the traders service once per trader: neither its channel nor its account holder ever changes. A no is not remembered. */
export function createParties(traders: ServiceClient<typeof services.traderDirectory>): Parties {
  const known = new LRUCache<string, Party>({ max: PARTIES_REMEMBERED });
  return {
    async find(keys, within) {
      const found = new Map<string, Party>();
      const asked = new Map<string, PartyKey>();
      for (const key of keys) {
        const id = partyId(key);
        const party = known.get(id);
        if (party) found.set(id, party);
        else asked.set(id, key);
      }
      if (asked.size === 0) return found;
      const { parties } = await traders.GetParties({ keys: [...asked.values()] }, { within });
      for (const { salesChannelId, traderId, accountHolderId } of parties) {
        const id = partyId({ salesChannelId, traderId });
        const party: Party = { accountHolderId };
        known.set(id, party);
        found.set(id, party);
      }
      return found;
    },
  };
}
