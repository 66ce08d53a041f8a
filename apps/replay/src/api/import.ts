import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportRecord } from '../plan/plan.ts';
import type { Api } from './client.ts';

const PATH = '/Registry/api/imports';
const FIRST_PAUSE_MS = 20;
const PAUSE_AT_MOST_MS = 500;
/** An import waits while the services behind it restart; after this long without any progress nobody works on it. */
const STALLED_AFTER_MS = 180_000;
const ERRORS_PER_PAGE = 100;
const CHUNK_BYTES = 64 * 1024;

interface Import {
  readonly importId: string;
  readonly linesRead: number;
  readonly linesFailed: number;
  readonly status: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED';
}

interface ImportErrors {
  readonly pagination: { readonly total: number };
  readonly data: readonly { readonly line: number; readonly code: string; readonly detail: string }[];
}

/** A record that was not applied. */
export interface ImportFailure {
  readonly record: ImportRecord;
  readonly code: string;
  readonly detail: string;
}

/** The import did not come to its end. */
export class ImportFailed extends Error {
  override name = 'ImportFailed';
}

/** One line per record, in chunks of some size. */
export async function* ndjsonOf(records: readonly ImportRecord[]): AsyncGenerator<Buffer> {
  let text = '';
  for (const { json } of records) {
    text += `${JSON.stringify(json)}\n`;
    if (text.length < CHUNK_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

async function endOf(api: Api, started: Import, onProgress: (linesRead: number) => void): Promise<Import> {
  let current = started;
  let changedAt = Date.now();
  for (
    let pauseMs = FIRST_PAUSE_MS;
    current.status === 'PENDING' || current.status === 'RUNNING';
    pauseMs = Math.min(pauseMs * 1.5, PAUSE_AT_MOST_MS)
  ) {
    onProgress(current.linesRead);
    if (Date.now() - changedAt > STALLED_AFTER_MS)
      throw new ImportFailed(`import ${current.importId} made no progress for ${STALLED_AFTER_MS / 1_000} s`);
    await sleep(pauseMs);
    const next = await api.get<Import>(`${PATH}/${encodeURIComponent(current.importId)}`);
    if (next.linesRead !== current.linesRead || next.status !== current.status) changedAt = Date.now();
    current = next;
  }
  onProgress(current.linesRead);
  return current;
}

async function errorsOf(api: Api, importId: string): Promise<ImportErrors['data']> {
  const errors: ImportErrors['data'][number][] = [];
  for (;;) {
    const query = new URLSearchParams({ limit: String(ERRORS_PER_PAGE), offset: String(errors.length) });
    const page = await api.get<ImportErrors>(`${PATH}/${encodeURIComponent(importId)}/errors?${query.toString()}`);
    errors.push(...page.data);
    if (page.data.length < ERRORS_PER_PAGE || errors.length >= page.pagination.total) return errors;
  }
}

/**
 * Imports records in one stream and waits for the end. Sending them again is safe: what is there with equal content counts as applied.
 * @returns the records that were refused
 * @throws ImportFailed, and what the API throws
 */
export async function importRecords(
  api: Api,
  records: readonly ImportRecord[],
  onProgress: (linesRead: number) => void,
): Promise<ImportFailure[]> {
  const { body } = await api.send<Import>('POST', PATH, [202], { ndjson: () => ndjsonOf(records) });
  const ended = await endOf(api, body, onProgress);
  const errors = ended.status === 'FAILED' || ended.linesFailed > 0 ? await errorsOf(api, ended.importId) : [];
  if (ended.status === 'FAILED') {
    throw new ImportFailed(
      `import ${ended.importId} could not be read to its end: ${errors[0]?.detail ?? 'no reason is given'}`,
    );
  }
  return errors.map(({ line, code, detail }) => {
    const record = records[line - 1];
    if (!record)
      throw new ImportFailed(`import ${ended.importId} reports line ${line} of ${records.length}: ${detail}`);
    return { record, code, detail };
  });
}
