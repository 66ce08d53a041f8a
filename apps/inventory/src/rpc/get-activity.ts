import type { Rpc } from '@saleschannel/grpc';
import { readOutboxState } from '@saleschannel/messaging';
import type { Context } from '../context.ts';
import { countChanges } from '../store/status-changes.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => {
    const [outbox, changes] = await Promise.all([readOutboxState(database.em()), countChanges(database.em())]);
    return { outbox, changes };
  };
