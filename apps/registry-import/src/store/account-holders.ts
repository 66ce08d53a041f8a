import {
  UNIQUE_VIOLATION,
  countRows,
  isoTimestamp,
  query,
  queryFirst,
  recordset,
  sql,
  sqlState,
  type EntityManager,
} from '@saleschannel/database';
import type { Page } from '@saleschannel/validation';
import type { AccountHolder, AccountHolderContent } from '../domain/account-holder.ts';

export const accountHolderColumns = sql`
  id, name, business_id as "businessId", auto_approval as "autoApproval",
  jsonb_strip_nulls(jsonb_build_object(
    'postalCode', postal_code, 'city', city, 'country', country, 'street1', street1, 'street2', street2
  )) as address,
  ${isoTimestamp('registered_on')} as "registeredOn",
  kind, case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status,
  ${isoTimestamp('suspended_at')} as "suspendedAt", suspended_reason as "suspendedReason"`;

const insertedColumns = {
  position: 'int',
  id: 'text',
  businessId: 'text',
  name: 'text',
  postalCode: 'text',
  city: 'text',
  country: 'text',
  street1: 'text',
  street2: 'text',
  autoApproval: 'boolean',
} as const;

/**
 * Inserts those whose business id is new, in this order, and returns their ids. Of several with the same business id it
 * is the first.
 */
export async function insertNew(
  em: EntityManager,
  holders: readonly { id: string; content: AccountHolderContent }[],
): Promise<string[]> {
  const rows = holders.map(({ id, content: { address, ...content } }, position) => ({
    position,
    id,
    ...content,
    ...address,
  }));
  const inserted = await query<{ id: string }>(
    em,
    sql`insert into account_holder
          (id, business_id, name, postal_code, city, country, street1, street2, auto_approval)
        select id, "businessId", name, "postalCode", city, country, street1, street2, "autoApproval"
        from ${recordset('holder', insertedColumns, rows)}
        order by position
        on conflict (business_id) do nothing
        returning id`,
  );
  return inserted.map(({ id }) => id);
}

/** Those of the ids that there are, each once. */
export async function findByIds(em: EntityManager, ids: readonly string[]): Promise<AccountHolder[]> {
  if (ids.length === 0) return [];
  return query(em, sql`select ${accountHolderColumns} from account_holder where id = any(${ids}::text[])`);
}

/** Those of the business ids that there are, each once. */
export async function findByBusinessIds(em: EntityManager, businessIds: readonly string[]): Promise<AccountHolder[]> {
  if (businessIds.length === 0) return [];
  return query(
    em,
    sql`select ${accountHolderColumns} from account_holder where business_id = any(${businessIds}::text[])`,
  );
}

export const findById = (em: EntityManager, id: string): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`select ${accountHolderColumns} from account_holder where id = ${id}`);

/** In the order of their registration. */
export async function listAccountHolders(
  em: EntityManager,
  { limit, offset }: Page,
): Promise<{ total: string; accountHolders: AccountHolder[] }> {
  const total = await countRows(em, sql`from account_holder`);
  const accountHolders: AccountHolder[] = await query(
    em,
    sql`select ${accountHolderColumns} from account_holder order by ordinal limit ${limit} offset ${offset}`,
  );
  return { total, accountHolders };
}

/** The account holder, locked until the transaction ends. */
export const lockById = (em: EntityManager, id: string): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`select ${accountHolderColumns} from account_holder where id = ${id} for update`);

/** Puts other content in the place of a locked account holder's. */
export async function replaceContent(
  em: EntityManager,
  id: string,
  { name, businessId, address, autoApproval }: AccountHolderContent,
): Promise<void> {
  const { postalCode, city, country, street1, street2 = null } = address;
  await query(
    em,
    sql`update account_holder set
          name = ${name}, business_id = ${businessId}, postal_code = ${postalCode}, city = ${city},
          country = ${country}, street1 = ${street1}, street2 = ${street2}, auto_approval = ${autoApproval}
        where id = ${id}`,
  );
}

/** Whether content could not be replaced because another account holder has the business id. */
export const isBusinessIdTaken = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;
