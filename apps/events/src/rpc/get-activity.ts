import type { Rpc } from '@saleschannel/grpc';
import { countApplied } from '@saleschannel/messaging';
import type { Context } from '../context.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ changes: await countApplied(database.em()) });
