import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { countUnfinished } from '../store/imports.ts';
import { findNamed, findRecords } from '../store/look-up.ts';

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => ({ unfinishedImports: await countUnfinished(database.em()) });

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id, names }) => {
    const [em, text] = [database.em(), idToFind(id)];
    return { things: [...(await findRecords(em, text)), ...(names ? await findNamed(em, text) : [])] };
  };
