import type { Rpc } from '@saleschannel/grpc';
import { countApplied, readOutboxState, readProgress } from '@saleschannel/messaging';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findRecords } from '../store/tasks.ts';
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

/** Lets inventory find changes that are missing here. */
export const getLedgerProgress: Rpc<'ledgerProgress.GetLedgerProgress', Context> =
  ({ database }) =>
  ({ salesChannelId }) =>
    readProgress(() => database.em(), salesChannelId);

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id }) => ({ things: await findRecords(database.em(), idToFind(id)) });
