import { DomainError, requestRefused, unavailable, type Violation } from '@saleschannel/errors';
import type { Call, ReplyOf, ServiceClient } from '@saleschannel/grpc';

interface Neighbours {
  readonly tasks: ServiceClient<'channelTasks'>;
  readonly inventory: ServiceClient<'channelUse'>;
}

type Count = ReplyOf<'channelTasks.CountOpenTasks'>['tasks'];

/**
 * Refuses a sales channel on which anything is open: nothing could end it there any more. The tasks are asked first:
 * what is no open task any more is in the ledger when that is asked.
 * @throws DomainError 'request-refused', or 'unavailable' when it cannot be known
 */
export async function refuseUsed(
  { tasks, inventory }: Neighbours,
  salesChannelId: string,
  within: Call,
): Promise<void> {
  const open = await ask(() => tasks.CountOpenTasks({ salesChannelId }, { within }));
  const used = await ask(() => inventory.CountChannelUse({ salesChannelId }, { within }));
  const faults = [
    ...faultOf(open.tasks, 'task is pending: wait for its end', 'tasks are pending: wait for their end'),
    ...faultOf(
      used.pendingTransactions,
      'transaction is pending: have it approved or rejected first',
      'transactions are pending: have them approved or rejected first',
    ),
    ...faultOf(
      used.reservedBundles,
      'certificate bundle is reserved: have its transaction decided first',
      'certificate bundles are reserved: have their transactions decided first',
    ),
    ...faultOf(
      used.listedBundles,
      'certificate bundle is listed: have it offramped or retired first',
      'certificate bundles are listed: have them offramped or retired first',
    ),
  ];
  if (faults.length > 0) throw requestRefused('The sales channel is in use.', faults);
}

/** A service that does not say, such as one of the release before, may have something open. */
async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') throw error;
    throw unavailable(error);
  }
}

/** @throws DomainError 'unavailable' when the count is missing: that is not zero */
function faultOf(counted: Count, one: string, many: string): Violation[] {
  if (!counted) throw unavailable(new Error('a service answered without a count'));
  const { count, isMore } = counted;
  if (count === 0) return [];
  const number = `${count.toLocaleString('en')}${isMore ? ' or more' : ''}`;
  const detail = `${number} ${count === 1 ? one : many}`;
  return [{ parameter: 'salesChannelId', code: 'sales-channel-in-use', detail }];
}
