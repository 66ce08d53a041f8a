import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findByName, findRecords } from '../store/look-up.ts';

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id, names }) => {
    const [em, text] = [database.em(), idToFind(id)];
    return { things: [...(await findRecords(em, text)), ...(names ? await findByName(em, text) : [])] };
  };
