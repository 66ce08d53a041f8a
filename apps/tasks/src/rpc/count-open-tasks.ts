import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { countOpenTasks as count } from '../store/waiting.ts';

export const countOpenTasks: Rpc<'channelTasks.CountOpenTasks', Context> =
  ({ database }) =>
  async ({ salesChannelId }) => ({ tasks: await count(database.em(), idToFind(salesChannelId)) });
