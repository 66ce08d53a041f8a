import { empty, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/primitives/validation';
import type { AccountHolder, Standing } from '../domain/account-holder.ts';
import { accountHolderColumns, accountHoldersNamed } from './account-holders.ts';

/** What the operator says of account holders. Each statement is idempotent. Undefined for an unknown one. */

export const updateKind = (em: EntityManager, id: string, kind: Standing['kind']): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`update account_holder set kind = ${kind} where id = ${id} returning ${accountHolderColumns}`);

/** A suspension that stands keeps its time and gets the new reason. */
export const suspend = (em: EntityManager, id: string, reason: string): Promise<AccountHolder | undefined> =>
  queryFirst(
    em,
    sql`update account_holder set
          suspended_at = coalesce(suspended_at, clock_timestamp()), suspended_reason = ${reason}
        where id = ${id} returning ${accountHolderColumns}`,
  );

export const resume = (em: EntityManager, id: string): Promise<AccountHolder | undefined> =>
  queryFirst(
    em,
    sql`update account_holder set suspended_at = null, suspended_reason = null
        where id = ${id} returning ${accountHolderColumns}`,
  );

interface Wanted extends OperatorPage {
  readonly businessId?: string | undefined;
  readonly kind?: Standing['kind'] | undefined;
  readonly status?: Standing['status'] | undefined;
  /** Anywhere in the name, without regard to case and accents. */
  readonly namePart?: string | undefined;
}

/** In the order of their registration. Behind an account holder that is not there, there is nothing. */
export function findAccountHolders(
  em: EntityManager,
  { limit, after, businessId, kind, status, namePart }: Wanted,
): Promise<AccountHolder[]> {
  return query(
    em,
    sql`select ${accountHolderColumns} from ${accountHoldersNamed(namePart)} where true
        ${after === undefined ? empty : sql`and ordinal > (select ordinal from account_holder where id = ${after})`}
        ${businessId === undefined ? empty : sql`and comparison_key(business_id) = comparison_key(${businessId}::text)`}
        ${kind === undefined ? empty : sql`and kind = ${kind}`}
        ${status === undefined ? empty : sql`and (suspended_at is not null) = ${status === 'SUSPENDED'}`}
        order by ordinal limit ${limit}`,
  );
}
