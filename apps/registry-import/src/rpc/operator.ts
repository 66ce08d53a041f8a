import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { countUnfinished } from '../store/imports.ts';
import { findNamed, findThings } from '../store/look-up.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ unfinishedImports: await countUnfinished(database.em()) });

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id, names }) => {
    const [em, wanted] = [database.em(), idToFind(id)];
    return { things: [...(await findThings(em, wanted)), ...(names ? await findNamed(em, wanted) : [])] };
  };
