import { LRUCache } from 'lru-cache';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';

interface AccountHolder {
  readonly autoApproval: boolean;
  readonly status: string;
}

export interface FoundHolders {
  /** By id. Unknown account holders are absent. */
  readonly byId: ReadonlyMap<string, AccountHolder>;
  /**
   * End of the lease on these answers, on the `performance.now()` clock. Infinity if the owner grants no lease: the
   * answers are then only a snapshot.
   */
  readonly leaseEnd: number;
}

export interface AccountHolders {
  find(ids: ReadonlySet<string>, within: Call): Promise<FoundHolders>;
}

const MAX_CACHED = 20_000;
/** Share of a lease for which an answer is cached. The rest of the lease is for acting on it. */
const CACHED_SHARE = 0.5;

interface CachedHolder {
  readonly holder: AccountHolder;
  readonly cachedUntil: number;
  readonly until: number;
}

/**
 * Caches account holders for the first half of the owner's lease. The owner confirms a change only after every
 * conflicting lease has ended (ADR 7). Unknown account holders are not cached.
 */
export function createAccountHolders(directory: ServiceClient<'accountHolderDirectory'>): AccountHolders {
  const cache = new LRUCache<string, CachedHolder>({ max: MAX_CACHED });
  const use = countCacheUse('account-holders');
  return {
    async find(ids, within) {
      const now = performance.now();
      const byId = new Map<string, AccountHolder>();
      let until = Infinity;
      const missing: string[] = [];
      for (const id of ids) {
        const entry = cache.get(id);
        const found = use.count(entry && entry.cachedUntil > now ? entry : undefined);
        if (!found) {
          missing.push(id);
          continue;
        }
        byId.set(id, found.holder);
        until = Math.min(until, found.until);
      }
      if (missing.length === 0) return { byId, leaseEnd: until };
      const { accountHolders, leaseMs } = await directory.GetAccountHolders({ accountHolderIds: missing }, { within });
      const lease = { cachedUntil: now + leaseMs * CACHED_SHARE, until: leaseMs > 0 ? now + leaseMs : Infinity };
      for (const { accountHolderId, autoApproval, status } of accountHolders) {
        const holder = { autoApproval, status };
        byId.set(accountHolderId, holder);
        cache.set(accountHolderId, { holder, ...lease });
      }
      return { byId, leaseEnd: Math.min(until, lease.until) };
    },
  };
}
