import { LRUCache } from 'lru-cache';
import type { services } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';

export interface Context {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the trader belongs to the sales channel. */
  isTrader(salesChannelId: string, traderId: string, within: Call): Promise<boolean>;
}

const TRADERS_REMEMBERED = 50_000;

/** Asks the traders service once per trader: a trader never leaves its channel, so a yes stays a yes. */
export function createTraderCheck(traders: ServiceClient<typeof services.traderDirectory>): Context['isTrader'] {
  const known = new LRUCache<string, true>({ max: TRADERS_REMEMBERED });
  return async (salesChannelId, traderId, within) => {
    const key = `${salesChannelId}/${traderId}`;
    if (known.has(key)) return true;
    const { parties } = await traders.GetParties({ keys: [{ salesChannelId, traderId }] }, { within });
    if (parties.length === 0) return false;
    known.set(key, true);
    return true;
  };
}
