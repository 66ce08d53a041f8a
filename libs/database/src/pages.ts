import type { EntityManager } from '@mikro-orm/postgresql';
import { queryFirst, sql, type Sql } from './sql.ts';

/** A page of a list. */
export interface PageOf<Row> {
  /** How many rows the whole list has, an int8 as text. */
  readonly total: string;
  readonly rows: Row[];
}

/** How many rows a `from …` has, with its `where` if there is one. An int8 as text. */
export async function countRows(em: EntityManager, source: Sql): Promise<string> {
  const row = await queryFirst<{ total: string }>(em, sql`select count(*)::text as total ${source}`);
  if (!row) throw new Error('a count has no row');
  return row.total;
}
