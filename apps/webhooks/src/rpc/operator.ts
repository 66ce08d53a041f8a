import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findThings } from '../store/look-up.ts';

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id }) => ({ things: await findThings(database.em(), idToFind(id)) });
