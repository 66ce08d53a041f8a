import type { Rpc } from '@saleschannel/grpc';
import { readOutboxState } from '@saleschannel/messaging';
import type { Context } from '../context.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ outbox: await readOutboxState(database.em()) });
