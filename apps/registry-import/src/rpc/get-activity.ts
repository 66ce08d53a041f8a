import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { countUnfinished } from '../store/imports.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ unfinishedImports: await countUnfinished(database.em()) });
