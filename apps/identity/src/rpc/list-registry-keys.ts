import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listRegistryKeys as list } from '../store/keys.ts';

export const listRegistryKeys: Rpc<'identity.ListRegistryKeys', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: await list(database.em(), accountHolderOf(call)) });
