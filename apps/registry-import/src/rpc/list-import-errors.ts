import { notFound } from '@saleschannel/errors';
import { readerOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findImport, pageOfErrors } from '../store/imports.ts';

export const listImportErrors: Rpc<'registryImport.ListImportErrors', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const importId = idToFind(request.importId);
    return reads.page(readerOf(call), async (em) => {
      if (!(await findImport(em, importId))) throw notFound();
      const { total, next, rows } = await pageOfErrors(em, importId, asked);
      return { total, next, errors: rows };
    });
  };
