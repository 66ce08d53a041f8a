import type { ServiceClient } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

interface Neighbours {
  readonly rbac: ServiceClient<'bindingDirectory'>;
  readonly accountHolders: ServiceClient<'accountHolderDirectory'>;
  readonly traders: ServiceClient<'traderDirectory'>;
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
