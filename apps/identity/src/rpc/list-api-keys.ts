import { userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listApiKeys as list } from '../store/keys.ts';

export const listApiKeys: Rpc<'identity.ListApiKeys', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: await list(database.em(), userOf(call).userId) });
