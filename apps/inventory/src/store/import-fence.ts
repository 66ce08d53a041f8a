import { queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';

/** The lease under which an import sends records. Without a number outside of imports. */
export interface ImportFence {
  /** An int8 as text. */
  readonly fence?: string | undefined;
  /** Whose import it is: imports of others have fences of their own. The previous release sends none. */
  readonly fenceScope?: string | undefined;
}

/**
 * Lets a transaction of an import go on while no larger fence of its scope was seen, and keeps larger ones out until it
 * ends. Otherwise a replica that was given up as dead could put older content over newer.
 * @throws DomainError 'forbidden' when a larger one was seen
 */
export async function passFence(em: EntityManager, { fence, fenceScope: scope = '' }: ImportFence): Promise<void> {
  if (fence === undefined) return;
  const seen = await queryFirst<{ isSame: boolean }>(
    em,
    sql`select fence = ${fence}::bigint as "isSame" from import_scope_fence where scope = ${scope} for share`,
  );
  if (seen?.isSame) return;
  const passed = await queryFirst(
    em,
    sql`insert into import_scope_fence (scope, fence) values (${scope}, ${fence}::bigint)
        on conflict (scope) do update set fence = excluded.fence where import_scope_fence.fence <= excluded.fence
        returning fence`,
  );
  if (!passed) throw new DomainError('forbidden', 'Somebody else works on this import by now.');
}
