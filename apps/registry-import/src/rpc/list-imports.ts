import type { Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { listImports as list } from '../store/imports.ts';
import { importMessage } from './messages.ts';

export const listImports: Rpc<'registryImport.ListImports', Context> =
  ({ database }) =>
  async ({ page }) => {
    const { total, imports } = await list(database.em(), readPage(page));
    return { total, imports: imports.map(importMessage) };
  };
