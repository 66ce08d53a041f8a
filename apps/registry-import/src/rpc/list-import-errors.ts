import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { findImport, listErrors } from '../store/imports.ts';

export const listImportErrors: Rpc<'registryImport.ListImportErrors', Context> =
  ({ database }) =>
  async (request) => {
    const page = readPage(request.page);
    const importId = idToFind(request.importId);
    const em = database.em();
    if (!(await findImport(em, importId))) throw notFound();
    return listErrors(em, importId, page);
  };
