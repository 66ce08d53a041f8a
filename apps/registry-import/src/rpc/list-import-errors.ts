import type { ListImportErrorsRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/ListImportErrorsRequest';
import type { ListImportErrorsResponse } from '@saleschannel/contracts/gen/registry_import/v1/ListImportErrorsResponse';
import { notFound } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import { readPage } from '../domain/page.ts';
import { findImport, listErrors } from '../store/imports.ts';

export const listImportErrors =
  ({ database }: Context) =>
  async (request: ListImportErrorsRequest__Output): Promise<ListImportErrorsResponse> => {
    const page = readPage(request);
    const em = database.em();
    if (!(await findImport(em, request.importId))) throw notFound();
    return listErrors(em, request.importId, page);
  };
