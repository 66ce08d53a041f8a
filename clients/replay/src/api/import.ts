import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ImportRecord } from '../plan/plan.ts';
import { ndjson, type Api } from './client.ts';

const PATH = '/Registry/api/imports';
const FIRST_PAUSE_MS = 20;
const PAUSE_GROWTH = 1.5;
const PAUSE_AT_MOST_MS = 500;
/** Imports wait while services restart. No progress for this long means that none is running. */
const STALLED_AFTER_MS = 180_000;
const ERRORS_PER_PAGE = 100;
const CHUNK_CHARACTERS = 64 * 1024;

const importSchema = z.object({
  importId: z.string(),
  linesRead: z.int(),
  linesFailed: z.int(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'FAILED']),
});
const importErrorPageSchema = z.object({
  pagination: z.object({ total: z.int() }),
  data: z.array(z.object({ line: z.int(), code: z.string(), detail: z.string() })),
});

type Import = z.output<typeof importSchema>;
type ImportError = z.output<typeof importErrorPageSchema>['data'][number];

/** A record that was not imported. */
export interface ImportFailure {
  readonly record: ImportRecord;
  readonly code: string;
  readonly detail: string;
}

/** The import did not complete. */
export class ImportFailedError extends Error {
  override name = 'ImportFailedError';
}

/**
 * Imports records in one stream and waits for the end. Repeating is safe: records stored with equal content count as
 * applied.
 * @returns refused records
 * @throws ImportFailedError, UnreachableError, RefusedError
 */
export async function importRecords(
  api: Api,
  records: readonly ImportRecord[],
  onProgress: (linesRead: number) => void,
): Promise<ImportFailure[]> {
  const content = ndjson(() => toLines(records));
  const { body: started } = await api.send({ method: 'POST', path: PATH, status: 202, schema: importSchema, content });
  const { importId, status, linesFailed } = await waitForEnd(api, started, onProgress);
  const errors = status === 'FAILED' || linesFailed > 0 ? await readErrors(api, importId) : [];
  if (status === 'FAILED') {
    const reason = errors[0]?.detail ?? 'no reason given';
    throw new ImportFailedError(`import ${importId} failed: ${reason}`);
  }
  return errors.map(({ line, code, detail }) => {
    const record = records[line - 1];
    if (record) return { record, code, detail };
    throw new ImportFailedError(`import ${importId} reports line ${line} of ${records.length}: ${detail}`);
  });
}

/** One line per record, many lines per chunk. */
async function* toLines(records: readonly ImportRecord[]): AsyncGenerator<Buffer> {
  let text = '';
  for (const { json } of records) {
    text += `${JSON.stringify(json)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Waits for the end of the import. */
async function waitForEnd(api: Api, started: Import, onProgress: (linesRead: number) => void): Promise<Import> {
  let current = started;
  let changedAt = Date.now();
  let pauseMs = FIRST_PAUSE_MS;
  while (current.status === 'PENDING' || current.status === 'RUNNING') {
    onProgress(current.linesRead);
    if (Date.now() - changedAt > STALLED_AFTER_MS)
      throw new ImportFailedError(`import ${current.importId} made no progress for ${STALLED_AFTER_MS / 1_000} s`);
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * PAUSE_GROWTH, PAUSE_AT_MOST_MS);
    const next = await api.get(importPath(current.importId), importSchema);
    if (next.linesRead !== current.linesRead || next.status !== current.status) changedAt = Date.now();
    current = next;
  }
  onProgress(current.linesRead);
  return current;
}

async function readErrors(api: Api, importId: string): Promise<ImportError[]> {
  const errors: ImportError[] = [];
  for (;;) {
    const query = new URLSearchParams({ limit: String(ERRORS_PER_PAGE), offset: String(errors.length) });
    const page = await api.get(`${importPath(importId)}/errors?${query.toString()}`, importErrorPageSchema);
    errors.push(...page.data);
    if (page.data.length < ERRORS_PER_PAGE || errors.length >= page.pagination.total) return errors;
  }
}

const importPath = (importId: string): string => `${PATH}/${encodeURIComponent(importId)}`;
