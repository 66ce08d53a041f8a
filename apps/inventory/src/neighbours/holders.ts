import type { Call, ServiceClient } from '@saleschannel/grpc';
import type { Context, NamedIds } from '../context.ts';

interface Neighbours {
  readonly rbac: ServiceClient<'bindingDirectory'>;
  readonly accountHolders: ServiceClient<'accountHolderDirectory'>;
  readonly traders: ServiceClient<'traderDirectory'>;
}

/** Asks each time: an account holder may have been accepted by another channel a moment ago. */
export const createTradersOf =
  (traders: ServiceClient<'traderDirectory'>): Context['tradersOf'] =>
  async (accountHolderId, within) =>
    (await traders.FindTradersOfHolder({ accountHolderId }, { within })).parties;

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))];

/** Asks the owners of the names, each once for all transactions. */
export const createNaming =
  ({ rbac, accountHolders, traders }: Neighbours): Context['name'] =>
  async (accountHolderId, transactions, within) => {
    const [parties, channels, holder] = await Promise.all([
      describe(traders, transactions, within),
      nameChannels(rbac, distinct(transactions.map(({ salesChannelId }) => salesChannelId)), within),
      accountHolders.GetAccountHolders({ accountHolderIds: [accountHolderId] }, { within }),
    ]);
    // An account holder sees no other one than itself: others are traders of a channel.
    const own = holder.accountHolders.map(({ accountHolderId: id, name }) => [id, name] as const);
    return new Map([...own, ...parties.map(({ traderId, name }) => [traderId, name] as const), ...channels]);
  };

export const createChannelNaming =
  (traders: Neighbours['traders']): Context['nameForChannel'] =>
  async (transactions, within) =>
    new Map((await describe(traders, transactions, within)).map(({ traderId, name }) => [traderId, name]));

/** The names of traders are their channels' own, so a trader of an account holder has the name of that. */
export const createRegistryNaming =
  ({ accountHolders, traders }: Pick<Neighbours, 'accountHolders' | 'traders'>): Context['nameForRegistry'] =>
  async (transactions, within) => {
    const parties = await describe(traders, transactions, within);
    const holderOf = new Map(parties.map(({ traderId, accountHolderId }) => [traderId, accountHolderId]));
    const ids = distinct(transactions.flatMap(({ sellerId, buyerId }) => [sellerId, buyerId]));
    const pairs = ids.flatMap((id) => {
      const accountHolderId = holderOf.has(id) ? holderOf.get(id) : id;
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

async function describe(traders: Neighbours['traders'], transactions: readonly NamedIds[], within: Call) {
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
