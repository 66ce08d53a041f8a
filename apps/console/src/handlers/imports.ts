import type { IncomingMessage } from 'node:http';
import { toImport } from '@saleschannel/edge';
import type { SentTo } from '@saleschannel/grpc';
import { z } from 'zod';
import { type Context, operation, type Operations } from '../http/operation.ts';
import { cursorPage } from '../http/forms.ts';

/** Large files take long. Limits of the connection end stalled uploads. */
const IMPORT_TIMEOUT_MS = 3_600_000;
const PIECE_BYTES_AT_MOST = 65_536;

/** Streams the request body at the pace of the service. An aborted upload has no `end`. */
async function* streamBody(
  request: IncomingMessage,
  header: { contentType: string; type?: string },
): AsyncGenerator<SentTo<'importAdministration.StartImport'>> {
  yield { header };
  let bytes = 0;
  // An early end must not close the connection, which still carries the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES_AT_MOST)
      yield { data: chunk.subarray(at, at + PIECE_BYTES_AT_MOST) };
  }
  yield { end: { bytes } };
}

export const imports = ({ operatorClients: { imports: all } }: Context) =>
  ({
    startImport: operation('startImport')({
      // The service validates the value, as for the registry API.
      query: z.strictObject({ type: z.string().optional() }),
      async handle({ query: { type } }, { request, call, disconnected }) {
        const contentType = request.headers['content-type'] ?? 'none';
        const parts = streamBody(request, { contentType, ...(type !== undefined && { type }) });
        return toImport(await all.StartImport(parts, { ...call, signal: disconnected, timeoutMs: IMPORT_TIMEOUT_MS }));
      },
    }),
    listImports: operation('listImports')({
      query: z.strictObject(cursorPage),
      async handle({ query }, { call }) {
        const { imports: found, total, next } = await all.ListImports({ page: query }, call);
        return { items: found.map(toImport), next: next ?? null, total: Number(total) };
      },
    }),
    getImport: operation('getImport')({
      handle: async ({ path }, { call }) => toImport(await all.GetImport(path, call)),
    }),
    listImportErrors: operation('listImportErrors')({
      query: z.strictObject(cursorPage),
      async handle({ path: { importId }, query }, { call }) {
        const { errors, total, next } = await all.ListImportErrors({ importId, page: query }, call);
        const items = errors.map(({ line, code, detail }) => ({ line: Number(line), code, detail }));
        return { items, next: next ?? null, total: Number(total) };
      },
    }),
  }) satisfies Partial<Operations>;
