import { LRUCache } from 'lru-cache';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';

/** What an account holder lets happen with its certificates. */
interface AccountHolder {
  readonly autoApproval: boolean;
  readonly status: string;
}

export interface FoundHolders {
  /** By id, without those that there are not. */
  readonly byId: ReadonlyMap<string, AccountHolder>;
  /**
   * Until when what they say may be acted on, on the `performance.now()` clock. Infinity where the owner gives no
   * lease: then it says what was so when it was asked.
   */
  readonly until: number;
}

export interface AccountHolders {
  find(ids: ReadonlySet<string>, within: Call): Promise<FoundHolders>;
}

const HOLDERS_REMEMBERED = 20_000;
/** Part of a lease in which an answer is found again. The rest is for acting on it. */
const REMEMBERED_PART = 0.5;

interface Remembered {
  readonly holder: AccountHolder;
  readonly rememberedUntil: number;
  readonly until: number;
}

/**
 * Remembers what account holders let happen for the first half of the owner's lease. The owner answers a change only
 * after every lease that may tell otherwise (ADR 7). That there is no such account holder is not remembered.
 */
export function createAccountHolders(directory: ServiceClient<'accountHolderDirectory'>): AccountHolders {
  const known = new LRUCache<string, Remembered>({ max: HOLDERS_REMEMBERED });
  const use = countCacheUse('account-holders');
  return {
    async find(ids, within) {
      const now = performance.now();
      const byId = new Map<string, AccountHolder>();
      let until = Infinity;
      const unknown: string[] = [];
      for (const id of ids) {
        const entry = known.get(id);
        const found = use.found(entry && entry.rememberedUntil > now ? entry : undefined);
        if (!found) {
          unknown.push(id);
          continue;
        }
        byId.set(id, found.holder);
        until = Math.min(until, found.until);
      }
      if (unknown.length === 0) return { byId, until };
      const { accountHolders, leaseMs } = await directory.GetAccountHolders({ accountHolderIds: unknown }, { within });
      const asked = { rememberedUntil: now + leaseMs * REMEMBERED_PART, until: leaseMs > 0 ? now + leaseMs : Infinity };
      for (const { accountHolderId, autoApproval, status } of accountHolders) {
        const holder = { autoApproval, status };
        byId.set(accountHolderId, holder);
        known.set(accountHolderId, { holder, ...asked });
      }
      return { byId, until: Math.min(until, asked.until) };
    },
  };
}
