import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { pageOfImports } from '../store/imports.ts';
import { importMessage } from './messages.ts';

export const listImports: Rpc<'registryImport.ListImports', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => pageOfImports(em, asked));
    return { total, next, imports: rows.map(importMessage) };
  };
