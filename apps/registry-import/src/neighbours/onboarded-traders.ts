import type { CallOptions } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

interface OnboardingKey {
  readonly accountHolderId: string;
  readonly salesChannelId: string;
}

/** The accepted traders of account holders in sales channels, where there are any. */
export interface OnboardedTraders {
  traderIdOf(key: OnboardingKey): string | undefined;
}

const textOf = ({ accountHolderId, salesChannelId }: OnboardingKey): string =>
  JSON.stringify([accountHolderId, salesChannelId]);

/** Asks for the accepted traders of all these account holders with one call. */
export async function findOnboardedTraders(
  { traders }: Pick<Context, 'traders'>,
  keys: readonly OnboardingKey[],
  options: CallOptions,
): Promise<OnboardedTraders> {
  const found = new Map<string, string>();
  const distinct = new Map(keys.map((key) => [textOf(key), key]));
  if (distinct.size > 0) {
    const { parties } = await traders.FindOnboardedTraders({ keys: [...distinct.values()] }, options);
    for (const { accountHolderId, salesChannelId, traderId } of parties) {
      if (accountHolderId !== undefined) found.set(textOf({ accountHolderId, salesChannelId }), traderId);
    }
  }
  return { traderIdOf: (key) => found.get(textOf(key)) };
}
