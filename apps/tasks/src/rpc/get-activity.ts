import type { Rpc } from '@saleschannel/grpc';
import { countApplied, readOutboxState } from '@saleschannel/messaging';
import type { Context } from '../context.ts';
import { countWaiting } from '../store/waiting.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => {
    const [outbox, changes, waitingTasks] = await Promise.all([
      readOutboxState(database.em()),
      countApplied(database.em()),
      countWaiting(database.em()),
    ]);
    return { outbox, changes, waitingTasks };
  };
