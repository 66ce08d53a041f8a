import { internal } from '@saleschannel/errors';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import type { Context, PartyIds } from '../context.ts';

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

interface Neighbours {
  readonly rbac: ServiceClient<'bindingDirectory'>;
  readonly accountHolders: ServiceClient<'accountHolderDirectory'>;
  readonly traders: ServiceClient<'traderDirectory'>;
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))];

/** Calls each service once for all transactions. */
export const createHolderNameLookUp =
  ({ rbac, accountHolders, traders }: Neighbours): Context['findNamesForHolder'] =>
  async (accountHolderId, transactions, within) => {
    const [parties, channels, holder] = await Promise.all([
      describe(traders, transactions, within),
      nameChannels(rbac, distinct(transactions.map(({ salesChannelId }) => salesChannelId)), within),
      accountHolders.GetAccountHolders({ accountHolderIds: [accountHolderId] }, { within }),
    ]);
    // An account holder sees only itself by this name: other parties are traders of a channel.
    const own = holder.accountHolders.map(({ accountHolderId: id, name }) => [id, name] as const);
    return new Map([...own, ...parties.map(({ traderId, name }) => [traderId, name] as const), ...channels]);
  };

export const createChannelNameLookUp =
  (traders: Neighbours['traders']): Context['findNamesForChannel'] =>
  async (transactions, within) =>
    new Map((await describe(traders, transactions, within)).map(({ traderId, name }) => [traderId, name]));

/** Names of traders are private to their sales channels, so each party gets the name of its account holder. */
export const createRegistryNameLookUp =
  ({ accountHolders, traders }: Pick<Neighbours, 'accountHolders' | 'traders'>): Context['findNamesForRegistry'] =>
  async (transactions, within) => {
    const parties = await describe(traders, transactions, within);
    const holders = new Map(parties.map(({ traderId, accountHolderId }) => [traderId, accountHolderId]));
    const ids = distinct(transactions.flatMap(({ sellerId, buyerId }) => [sellerId, buyerId]));
    const pairs = ids.flatMap((id) => {
      const accountHolderId = holders.has(id) ? holders.get(id) : id;
      return accountHolderId === undefined ? [] : [[id, accountHolderId] as const];
    });
    const accountHolderIds = distinct(pairs.map(([, accountHolderId]) => accountHolderId));
    if (accountHolderIds.length === 0) return new Map();
    const found = await accountHolders.GetAccountHolders({ accountHolderIds }, { within });
    const names = new Map(found.accountHolders.map(({ accountHolderId, name }) => [accountHolderId, name]));
    return new Map(
      pairs.flatMap(([id, accountHolderId]) => {
        const name = names.get(accountHolderId);
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  };

async function describe(traders: Neighbours['traders'], transactions: readonly PartyIds[], within: Call) {
  const keys = new Map<string, { salesChannelId: string; traderId: string }>();
  for (const { salesChannelId, sellerId, buyerId } of transactions) {
    if (salesChannelId === null) continue;
    for (const traderId of distinct([sellerId, buyerId])) {
      keys.set(JSON.stringify([salesChannelId, traderId]), { salesChannelId, traderId });
    }
  }
  return keys.size === 0 ? [] : (await traders.DescribeParties({ keys: [...keys.values()] }, { within })).parties;
}

async function nameChannels(rbac: Neighbours['rbac'], salesChannelIds: string[], within: Call) {
  if (salesChannelIds.length === 0) return [];
  const { salesChannels } = await rbac.GetSalesChannels({ salesChannelIds }, { within });
  return salesChannels.map(({ id, name }) => [id, name] as const);
}

/** Does not cache, so that a suspension takes effect at once. Only rare operations use it. */
export const createSuspensionCheck =
  ({ rbac, accountHolders, traders }: Neighbours): Context['findSuspension'] =>
  async ({ salesChannelId, traderIds }, within) => {
    const keys = traderIds.map((traderId) => ({ salesChannelId, traderId }));
    const [{ salesChannels }, { parties }] = await Promise.all([
      rbac.GetSalesChannels({ salesChannelIds: [salesChannelId] }, { within }),
      traders.GetParties({ keys }, { within }),
    ]);
    if (salesChannels.some(({ status }) => status === 'SUSPENDED')) return 'sales channel';
    const accountHolderIds = parties.flatMap(({ accountHolderId }) => accountHolderId ?? []);
    if (accountHolderIds.length === 0) return undefined;
    const found = await accountHolders.GetAccountHolders({ accountHolderIds }, { within });
    return found.accountHolders.some(({ status }) => status === 'SUSPENDED') ? 'account holder' : undefined;
  };
