import { userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listKeyDetails as list } from '../store/key-details.ts';
import { keyDetailMessage } from './messages.ts';

export const listKeyDetails: Rpc<'identity.ListKeyDetails', Context> =
  ({ database }) =>
  async (_request, call) => ({ keys: (await list(database.em(), userOf(call))).map(keyDetailMessage) });
