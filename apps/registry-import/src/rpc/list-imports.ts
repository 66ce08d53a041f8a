import type { ListImportsRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/ListImportsRequest';
import type { ListImportsResponse } from '@saleschannel/contracts/gen/registry_import/v1/ListImportsResponse';
import type { Context } from '../context.ts';
import { readPage } from '../domain/page.ts';
import * as store from '../store/imports.ts';
import { importMessage } from './messages.ts';

export const listImports =
  ({ database }: Context) =>
  async (request: ListImportsRequest__Output): Promise<ListImportsResponse> => {
    const { total, imports } = await store.listImports(database.em(), readPage(request));
    return { total, imports: imports.map(importMessage) };
  };
