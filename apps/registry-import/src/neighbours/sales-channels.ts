import type { CallOptions } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

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
