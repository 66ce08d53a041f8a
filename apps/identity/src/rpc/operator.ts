import type { Rpc } from '@saleschannel/grpc';
import { readOutboxState } from '@saleschannel/messaging';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findRecords } from '../store/look-up.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ outbox: await readOutboxState(database.em()) });

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id }) => ({ things: await findRecords(database.em(), idToFind(id)) });
