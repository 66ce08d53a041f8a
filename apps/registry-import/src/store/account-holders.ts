import {
  totalExpression,
  empty,
  evaluate,
  nameContains,
  isoTimestamp,
  join,
  Keyset,
  query,
  queryFirst,
  raw,
  recordset,
  sql,
  sqlState,
  startsWith,
  UNIQUE_VIOLATION,
  type EntityManager,
  type PageRequest,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/primitives/validation';
import type { AccountHolder, AccountHolderContent, OperatorSettings } from '../domain/account-holder.ts';

const accountHolderColumns = sql`
  id, name, business_id as "businessId", auto_approval as "autoApproval",
  jsonb_strip_nulls(jsonb_build_object(
    'postalCode', postal_code, 'city', city, 'country', country, 'street1', street1, 'street2', street2
  )) as address,
  ${isoTimestamp('registered_on')} as "registeredOn",
  kind, case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status,
  ${isoTimestamp('suspended_at')} as "suspendedAt", suspended_reason as "suspendedReason"`;

const LOWER_NAME = '(lower(account_holder.name) collate "C")';

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

const sameBusinessId = (key: Sql): Sql => sql`comparison_key(account_holder.business_id) = comparison_key(${key})`;

/**
 * Inserts account holders whose business id is new, and returns their ids. The first of several with the same business
 * id wins. Ids are compared in their normalized form, because older releases stored them as sent.
 */
export async function insertNewAccountHolders(
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
        where not exists (select from account_holder where ${sameBusinessId(sql`holder."businessId"`)})
        order by "businessId", position
        on conflict (business_id) do nothing
        returning id`,
  );
  return inserted.map(({ id }) => id);
}

/** Finds account holders, each once. Unknown ids are missing in the result. */
export async function findByIds(em: EntityManager, ids: readonly string[]): Promise<AccountHolder[]> {
  if (ids.length === 0) return [];
  return query(em, sql`select ${accountHolderColumns} from account_holder where id = any(${ids}::text[])`);
}

/** Finds account holders by business id, in any of its forms. Exact matches come last. */
export async function findByBusinessIds(em: EntityManager, businessIds: readonly string[]): Promise<AccountHolder[]> {
  if (businessIds.length === 0) return [];
  return query(
    em,
    sql`select ${accountHolderColumns} from account_holder
        where comparison_key(business_id) = any(array(
          select comparison_key(requested) from unnest(${businessIds}::text[]) as requested
        ))
        order by business_id = any(${businessIds}::text[]), ordinal desc`,
  );
}

export const findById = (em: EntityManager, id: string): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`select ${accountHolderColumns} from account_holder where id = ${id}`);

const ordinal = { column: 'account_holder.ordinal', type: 'bigint' } as const;
const byRegistration = new Keyset('account-holders', [ordinal]);
/** Order of the index of names. */
const byName = new Keyset('account-holders-by-name', [{ column: LOWER_NAME, type: 'text' }, ordinal]);

/** Matches the index of name parts. */
const indexedName = { name: sql`account_holder.name`, scope: sql`''` };

/**
 * Selects all account holders, or those with a part in their name. The subquery forces the use of the index: a generic
 * plan would scan all account holders.
 */
const withNamePart = (part: string | undefined): Sql =>
  part === undefined
    ? sql`account_holder`
    : sql`(select * from account_holder where ${nameContains(indexedName, '', part)} offset 0) as account_holder`;

/** Conditions that all apply. */
export interface AccountHolderFilter {
  readonly businessId?: string | undefined;
  /** Prefix of the name, ignoring case. */
  readonly name?: string | undefined;
  /** Anywhere in the name, ignoring case and accents. */
  readonly namePart?: string | undefined;
}

/** Returns a page of account holders by registration, or by name for a prefix of the name. */
export async function listAccountHolders(
  em: EntityManager,
  filter: AccountHolderFilter,
  page: PageRequest,
): Promise<PageWithTotal<AccountHolder>> {
  const { businessId, name, namePart } = filter;
  const conditions = [sql`true`];
  if (businessId !== undefined) conditions.push(sameBusinessId(sql`${businessId}::text`));
  if (name !== undefined) conditions.push(startsWith(raw(LOWER_NAME), name));
  const condition = join(conditions, ' and ');
  const source = withNamePart(namePart);
  const part = await (name === undefined ? byRegistration : byName).page<AccountHolder>(
    em,
    { ...page, scope: filter },
    ({ key, after, order, rows }) =>
      sql`select ${accountHolderColumns}, ${key} from ${source} where ${condition} and ${after}
          order by ${order} ${rows}`,
  );
  // Filtered lists are small enough to count.
  const isAll = businessId === undefined && name === undefined && namePart === undefined;
  const total = isAll
    ? totalExpression('account-holder', [''])
    : sql`(select count(*) from ${source} where ${condition})`;
  return { ...part, total: await evaluate(em, total) };
}

/** Locks an account holder until the transaction ends. */
export const lockById = (em: EntityManager, id: string): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`select ${accountHolderColumns} from account_holder where id = ${id} for update`);

/** Replaces the content of a locked account holder. */
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

/** Reports whether another account holder has the business id. */
export const isBusinessIdTaken = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

/*
 * Decisions of the operator. Each statement is idempotent, and returns undefined for an unknown account holder.
 */

export const updateKind = (
  em: EntityManager,
  id: string,
  kind: OperatorSettings['kind'],
): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`update account_holder set kind = ${kind} where id = ${id} returning ${accountHolderColumns}`);

/** Suspends an account holder. If already suspended, only the reason changes. */
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

interface OperatorFilter extends OperatorPage {
  readonly businessId?: string | undefined;
  readonly kind?: OperatorSettings['kind'] | undefined;
  readonly status?: OperatorSettings['status'] | undefined;
  /** Anywhere in the name, ignoring case and accents. */
  readonly namePart?: string | undefined;
}

/** Lists account holders by registration. An unknown `after` yields none. */
export function searchAccountHolders(
  em: EntityManager,
  { limit, after, businessId, kind, status, namePart }: OperatorFilter,
): Promise<AccountHolder[]> {
  return query(
    em,
    sql`select ${accountHolderColumns} from ${withNamePart(namePart)} where true
        ${after === undefined ? empty : sql`and ordinal > (select ordinal from account_holder where id = ${after})`}
        ${businessId === undefined ? empty : sql`and comparison_key(business_id) = comparison_key(${businessId}::text)`}
        ${kind === undefined ? empty : sql`and kind = ${kind}`}
        ${status === undefined ? empty : sql`and (suspended_at is not null) = ${status === 'SUSPENDED'}`}
        order by ordinal limit ${limit}`,
  );
}
