import { queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';

/**
 * Lets a transaction of an import go on while no larger fence was seen, and keeps larger ones out until it ends.
 * Whoever was given up as dead and sends again later would otherwise put older content over newer.
 * @param fence an int8 as text. Undefined outside of imports
 * @throws DomainError 'forbidden' when a larger one was seen
 */
export async function passFence(em: EntityManager, fence: string | undefined): Promise<void> {
  if (fence === undefined) return;
  const seen = await queryFirst<{ isSame: boolean }>(
    em,
    sql`select fence = ${fence}::bigint as "isSame" from import_fence for share`,
  );
  if (seen?.isSame) return;
  const passed = await queryFirst(
    em,
    sql`insert into import_fence (fence) values (${fence}::bigint)
        on conflict (is_only) do update set fence = excluded.fence where import_fence.fence <= excluded.fence
        returning fence`,
  );
  if (!passed) throw new DomainError('forbidden', 'Somebody else works on imports by now.');
}
