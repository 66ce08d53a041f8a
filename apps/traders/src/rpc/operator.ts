import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findNamed, findThings } from '../store/look-up.ts';

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id, names }) => {
    const [em, text] = [database.em(), idToFind(id)];
    return { things: [...(await findThings(em, text)), ...(names ? await findNamed(em, text) : [])] };
  };
