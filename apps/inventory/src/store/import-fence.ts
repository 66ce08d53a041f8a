import { queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';

/** Lease of the import that sends records. Without a number outside of imports. */
export interface ImportFence {
  /** An int8 as text. */
  readonly fence?: string | undefined;
  /** Owner of the import, with its own fences. Missing in calls of the previous release. */
  readonly fenceScope?: string | undefined;
}

/**
 * Checks that no larger fence of the scope was seen, and blocks larger ones until the transaction ends. Otherwise a
 * replica that was taken for dead could overwrite newer content.
 * @throws DomainError 'forbidden' if a larger one was seen
 */
export async function checkFence(em: EntityManager, { fence, fenceScope: scope = '' }: ImportFence): Promise<void> {
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
  if (!passed) throw new DomainError('forbidden', 'Another replica has taken over this import.');
}
