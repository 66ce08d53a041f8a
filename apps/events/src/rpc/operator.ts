import type { Rpc } from '@saleschannel/grpc';
import { countApplied, readProgress } from '@saleschannel/messaging';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findRecords } from '../store/events.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ changes: await countApplied(database.em()) });

/** Lets inventory find changes that are missing here. */
export const getLedgerProgress: Rpc<'ledgerProgress.GetLedgerProgress', Context> =
  ({ database }) =>
  ({ salesChannelId }) =>
    readProgress(() => database.em(), salesChannelId);

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id }) => ({ things: await findRecords(database.em(), idToFind(id)) });
