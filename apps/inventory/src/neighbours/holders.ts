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
