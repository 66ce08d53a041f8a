import { isoTimestamp, query, type EntityManager } from '@saleschannel/database';
import type { Page } from '../domain/page.ts';

/** What the registry sees of an import; counts are int8 as text. */
export interface ImportProgress {
  readonly importId: string;
  readonly status: string;
  readonly linesRead: string;
  readonly linesApplied: string;
  readonly linesFailed: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

export interface LineError {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

// While it is uploaded an import is as good as pending.
export const progressColumns = `id as "importId", case status when 'UPLOADING' then 'PENDING' else status end as status, lines_read as "linesRead",
  lines_applied as "linesApplied", lines_failed as "linesFailed", ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('completed_at')} as "completedAt"`;

export async function findImport(em: EntityManager, id: string): Promise<ImportProgress | undefined> {
  if (id.includes('\0')) return undefined;
  const [row] = await query<ImportProgress>(em, `select ${progressColumns} from import where id = ?`, [id]);
  return row;
}

/** Newest first. */
export async function listImports(
  em: EntityManager,
  page: Page,
): Promise<{ total: string; imports: ImportProgress[] }> {
  const [counted] = await query<{ total: string }>(em, 'select count(*) as total from import');
  const imports = await query<ImportProgress>(
    em,
    `select ${progressColumns} from import order by ordinal desc limit ? offset ?`,
    [page.limit, page.offset],
  );
  return { total: counted?.total ?? '0', imports };
}

/** In the order of the file. */
export async function listErrors(
  em: EntityManager,
  importId: string,
  page: Page,
): Promise<{ total: string; errors: LineError[] }> {
  const [counted] = await query<{ total: string }>(
    em,
    'select count(*) as total from import_error where import_id = ?',
    [importId],
  );
  const errors = await query<LineError>(
    em,
    'select line, code, detail from import_error where import_id = ? order by line limit ? offset ?',
    [importId, page.limit, page.offset],
  );
  return { total: counted?.total ?? '0', errors };
}

export async function insertErrors(em: EntityManager, importId: string, errors: readonly LineError[]): Promise<void> {
  if (errors.length === 0) return;
  await query(
    em,
    `insert into import_error (import_id, line, code, detail)
     select ?, line, code, detail from jsonb_to_recordset(?::jsonb) as error (line bigint, code text, detail text)`,
    [importId, JSON.stringify(errors)],
  );
}
