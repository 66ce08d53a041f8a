import type { IncomingMessage } from 'node:http';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { cursorPage } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type Handled = 'startImport' | 'listImports' | 'getImport' | 'listImportErrors';

/** An import may be as long as its file. The limits of the connection end one that stands still. */
const IMPORT_TIMEOUT_MS = 3_600_000;
const PIECE_BYTES_AT_MOST = 65_536;

const importOf = (found: ReplyOf<'importAdministration.GetImport'>) => ({
  importId: found.importId,
  status: found.status,
  linesRead: Number(found.linesRead),
  linesApplied: Number(found.linesApplied),
  linesFailed: Number(found.linesFailed),
  errorsStored: Number(found.errorsStored),
  createdAt: found.createdAt,
  completedAt: found.completedAt ?? null,
});

/** The request body in pieces, at the pace at which they are taken. One that breaks off has no end. */
async function* partsOf(
  request: IncomingMessage,
  header: { contentType: string; type?: string },
): AsyncGenerator<SentTo<'importAdministration.StartImport'>> {
  yield { header };
  let bytes = 0;
  // Ending early must not close the connection: the answer still has to go out on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES_AT_MOST)
      yield { data: chunk.subarray(at, at + PIECE_BYTES_AT_MOST) };
  }
  yield { end: { bytes } };
}

export const imports = ({ powers: { imports: all } }: Context): Pick<Operations, Handled> => ({
  startImport: operation('startImport')({
    // Its values are judged by the service, as those of the registry API are.
    query: z.strictObject({ type: z.string().optional() }),
    async handle({ query: { type } }, { request, call, gone }) {
      const contentType = request.headers['content-type'] ?? 'none';
      const parts = partsOf(request, { contentType, ...(type !== undefined && { type }) });
      return importOf(await all.StartImport(parts, { ...call, signal: gone, timeoutMs: IMPORT_TIMEOUT_MS }));
    },
  }),
  listImports: operation('listImports')({
    query: z.strictObject(cursorPage),
    async handle({ query }, { call }) {
      const { imports: found, total, next } = await all.ListImports({ page: query }, call);
      return { items: found.map(importOf), next: next ?? null, total: Number(total) };
    },
  }),
  getImport: operation('getImport')({
    handle: async ({ path: { importId } }, { call }) => importOf(await all.GetImport({ importId }, call)),
  }),
  listImportErrors: operation('listImportErrors')({
    query: z.strictObject(cursorPage),
    async handle({ path: { importId }, query }, { call }) {
      const { errors, total, next } = await all.ListImportErrors({ importId, page: query }, call);
      const items = errors.map(({ line, code, detail }) => ({ line: Number(line), code, detail }));
      return { items, next: next ?? null, total: Number(total) };
    },
  }),
});
