import { raw, sql, type Sql } from './sql.ts';

/**
 * The `limit` of one part of a page. It is a bound for the planner: the page itself takes no more rows than it needs,
 * whatever the parts could give. Where the limit is a parameter, PostgreSQL supposes a tenth of the part, so in a long
 * list a plan for any values looks dear, and every page is planned anew, which takes as long as reading it. Powers of
 * two, so that few texts are prepared.
 */
export const limitOfPart = (reach: number): Sql => sql`limit ${raw(String(2 ** Math.ceil(Math.log2(reach))))}`;
