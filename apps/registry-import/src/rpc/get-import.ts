import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findImport } from '../store/imports.ts';
import { importMessage } from './messages.ts';

export const getImport: Rpc<'registryImport.GetImport', Context> =
  ({ database }) =>
  async ({ importId }) => {
    const found = await findImport(database.em(), idToFind(importId));
    if (!found) throw notFound();
    return importMessage(found);
  };
