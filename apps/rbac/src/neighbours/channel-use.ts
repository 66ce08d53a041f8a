import { DomainError, requestRefused, unavailable, type Violation } from '@saleschannel/errors';
import type { Call, ReplyOf, ServiceClient } from '@saleschannel/grpc';

interface Neighbours {
  readonly tasks: ServiceClient<'channelTasks'>;
  readonly inventory: ServiceClient<'channelUse'>;
}

type Count = ReplyOf<'channelTasks.CountOpenTasks'>['tasks'];

/**
 * Refuses to close a sales channel with open tasks, transactions or bundles, which could never end. Tasks are counted
 * first: a task that ends meanwhile is then in the ledger's count.
 * @throws DomainError 'request-refused', or 'unavailable' if a service does not answer
 */
export async function refuseUsed(
  { tasks, inventory }: Neighbours,
  salesChannelId: string,
  within: Call,
): Promise<void> {
  const open = await requireAnswer(() => tasks.CountOpenTasks({ salesChannelId }, { within }));
  const used = await requireAnswer(() => inventory.CountChannelUse({ salesChannelId }, { within }));
  const faults = [
    ...toViolations(open.tasks, 'task is pending. Wait for its end.', 'tasks are pending. Wait for their end.'),
    ...toViolations(
      used.pendingTransactions,
      'transaction is pending. Have it approved or rejected first.',
      'transactions are pending. Have them approved or rejected first.',
    ),
    ...toViolations(
      used.reservedBundles,
      'certificate bundle is reserved. Have its transaction decided first.',
      'certificate bundles are reserved. Have their transactions decided first.',
    ),
    ...toViolations(
      used.listedBundles,
      'certificate bundle is listed. Have it offramped or retired first.',
      'certificate bundles are listed. Have them offramped or retired first.',
    ),
  ];
  if (faults.length > 0) throw requestRefused('The sales channel is in use.', faults);
}

/** Treats every failure as unavailable: a service of the previous release lacks the RPC and may have open records. */
async function requireAnswer<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') throw error;
    throw unavailable(error);
  }
}

/** @throws DomainError 'unavailable' for a missing count, which is not zero */
function toViolations(counted: Count, one: string, many: string): Violation[] {
  if (!counted) throw unavailable(new Error('The service answered without a count.'));
  const { count, isMore } = counted;
  if (count === 0) return [];
  const number = `${count.toLocaleString('en')}${isMore ? ' or more' : ''}`;
  const detail = `${number} ${count === 1 ? one : many}`;
  return [{ parameter: 'salesChannelId', code: 'sales-channel-in-use', detail }];
}
