import type { EntityManager } from './entity-manager.ts';
import { queryFirst, raw, sql, type Sql } from './sql.ts';

/** How many rows there are, as far as they were counted. */
export interface CountOfSome {
  /** At most {@link COUNTED_AT_MOST}. */
  readonly count: number;
  readonly isMore: boolean;
}

/** People read such a count. Beyond this it makes no difference to them, and each row costs the database a look. */
const COUNTED_AT_MOST = 1_000;

/** Ends a statement that {@link countSome} counts, or a part of it: one row more shows that there are more. */
export const limitOfCount = raw(`limit ${COUNTED_AT_MOST + 1}`);

/** Counts the rows of a statement, as far as anybody wants to know. */
export async function countSome(em: EntityManager, rows: Sql): Promise<CountOfSome> {
  const found = await queryFirst<{ count: number }>(
    em,
    sql`select count(*)::int as count from (select from (${rows}) as counted ${limitOfCount}) as found`,
  );
  if (!found) throw new Error('a count has no row');
  return { count: Math.min(found.count, COUNTED_AT_MOST), isMore: found.count > COUNTED_AT_MOST };
}
