import type { GetImportRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/GetImportRequest';
import type { Import } from '@saleschannel/contracts/gen/registry_import/v1/Import';
import { notFound } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import { findImport } from '../store/imports.ts';
import { importMessage } from './messages.ts';

export const getImport =
  ({ database }: Context) =>
  async ({ importId }: GetImportRequest__Output): Promise<Import> => {
    const found = await findImport(database.em(), importId);
    if (!found) throw notFound();
    return importMessage(found);
  };
