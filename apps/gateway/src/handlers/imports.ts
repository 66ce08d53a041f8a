import { DomainError } from '@saleschannel/errors';
import { matchMediaType, toImport } from '@saleschannel/edge';
import type { SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { toIssuance, toLocationHeader } from './registry.ts';
import { toRegistryPage, pickColumns, type CsvFile } from './lists.ts';
import { toPage, withoutNulls } from './requests.ts';

/** Upper bound for large files. The limits of the connection end a stalled upload. */
const IMPORT_TIMEOUT_MS = 3_600_000;
const PIECE_BYTES_AT_MOST = 65_536;
const NDJSON = 'application/x-ndjson';
const mediaTypes = new Map([
  [NDJSON, true],
  ['text/csv', true],
]);

const importFile: CsvFile<ReturnType<typeof toImport>> = {
  name: 'imports',
  columns: pickColumns(
    'importId',
    'status',
    'linesRead',
    'linesApplied',
    'linesFailed',
    'errorsStored',
    'createdAt',
    'completedAt',
  ),
};

const errorFile: CsvFile<{ readonly line: number; readonly code: string; readonly detail: string }> = {
  name: 'import-errors',
  columns: pickColumns('line', 'code', 'detail'),
};

/**
 * Streams the request body at the pace of the service. A key may be deleted during an upload, so it is checked
 * repeatedly, and once more before the end message, without which the service applies nothing.
 */
async function* streamImport(
  context: RequestContext,
  header: { contentType: string; type?: string },
): AsyncGenerator<SentTo<'registryImport.StartImport'>> {
  const { request } = context;
  yield { header };
  let bytes = 0;
  // An early end must not close the connection, which still carries the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    await context.renew().catch(unlessUnavailable);
    bytes += chunk.length;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES_AT_MOST) {
      yield { data: chunk.subarray(at, at + PIECE_BYTES_AT_MOST) };
    }
  }
  await context.renew({ isCertain: true });
  yield { end: { bytes } };
}

/** Ignores an unavailable identity: the upload continues, and the check at its end decides. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'unavailable') throw error;
}

export const createImportHandlers = ({ registryImport }: Clients) =>
  ({
    createIssuance: async ({ body }, { callOptions }) => {
      const { issuance, created } = await registryImport.CreateIssuance({ issuance: withoutNulls(body) }, callOptions);
      if (!issuance) throw new Error('registry-import answered without the issuance');
      return createJsonAnswer(
        created ? 201 : 200,
        toIssuance(issuance),
        toLocationHeader('transactions', issuance.issuanceId),
      );
    },
    startImport: async ({ query: { type } }, context) => {
      const { callOptions, request } = context;
      const [contentType] = matchMediaType(request, mediaTypes);
      const parts = streamImport(context, { contentType, ...(type === undefined ? {} : { type }) });
      const started = await registryImport.StartImport(parts, { ...callOptions, timeoutMs: IMPORT_TIMEOUT_MS });
      return createJsonAnswer(202, toImport(started), toLocationHeader('imports', started.importId));
    },
    listImports: async ({ query }, context) => {
      const { imports: found, ...size } = await registryImport.ListImports(toPage(query), context.callOptions);
      return toRegistryPage(context, size, query, found.map(toImport), importFile);
    },
    getImport: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toImport(await registryImport.GetImport(path, callOptions))),
    listImportErrors: async ({ path: { importId }, query }, context) => {
      const request = { importId, ...toPage(query) };
      const { errors, ...size } = await registryImport.ListImportErrors(request, context.callOptions);
      const found = errors.map(({ line, code, detail }) => ({ line: Number(line), code, detail }));
      return toRegistryPage(context, size, query, found, errorFile);
    },
  }) satisfies Partial<Handlers>;
