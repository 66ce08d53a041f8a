import type { CallOptions } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

interface OnboardingKey {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
}

export const traderKey = (key: OnboardingKey): string => JSON.stringify([key.accountHolderId, key.salesChannelId]);

/** The ids of the accepted traders of these account holders in these sales channels, by {@link traderKey}; those without one are left out. */
export async function onboardedTraders(
  context: Context,
  keys: readonly OnboardingKey[],
  options: CallOptions,
): Promise<Map<string, string>> {
  const distinct = new Map(keys.map((key) => [traderKey(key), key]));
  if (distinct.size === 0) return new Map();
  const { parties } = await context.traders.FindOnboardedTraders({ keys: [...distinct.values()] }, options);
  return new Map(
    parties.map(({ accountHolderId = '', salesChannelId, traderId }) => [
      traderKey({ accountHolderId, salesChannelId }),
      traderId,
    ]),
  );
}
