import type { CallOptions } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

interface OnboardingKey {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
}

/** Accepted traders of account holders in sales channels. */
interface OnboardedTraders {
  traderIdOf(key: OnboardingKey): string | undefined;
}

const toMapKey = ({ accountHolderId, salesChannelId }: OnboardingKey): string =>
  JSON.stringify([accountHolderId, salesChannelId]);

/** Finds the accepted traders of all these account holders in one call. */
export async function findOnboardedTraders(
  { traders }: Pick<Context, 'traders'>,
  keys: readonly OnboardingKey[],
  options: CallOptions,
): Promise<OnboardedTraders> {
  const found = new Map<string, string>();
  const distinct = new Map(keys.map((key) => [toMapKey(key), key]));
  if (distinct.size > 0) {
    const { parties } = await traders.FindOnboardedTraders({ keys: [...distinct.values()] }, options);
    for (const { accountHolderId, salesChannelId, traderId } of parties) {
      if (accountHolderId !== undefined) found.set(toMapKey({ accountHolderId, salesChannelId }), traderId);
    }
  }
  return { traderIdOf: (key) => found.get(toMapKey(key)) };
}

/** Finds suspended channels. Not cached, so that a suspension takes effect at once. */
export async function findSuspendedChannels(
  { rbac }: Pick<Context, 'rbac'>,
  salesChannelIds: readonly string[],
  options: CallOptions,
): Promise<ReadonlySet<string>> {
  const distinct = [...new Set(salesChannelIds)];
  if (distinct.length === 0) return new Set();
  const { salesChannels } = await rbac.GetSalesChannels({ salesChannelIds: distinct }, options);
  return new Set(salesChannels.flatMap(({ id, status }) => (status === 'SUSPENDED' ? [id] : [])));
}
