import {
  countedRows,
  evaluated,
  hasInName,
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
  type PageAsked,
  type PageOf,
  type Sql,
} from '@saleschannel/database';
import type { AccountHolder, AccountHolderContent } from '../domain/account-holder.ts';

export const accountHolderColumns = sql`
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
 * Inserts those whose business id is new, in this order, and returns their ids. Of several with the same business id it
 * is the first. One that differs only in what nobody sees is not new. Older releases stored business ids as they came.
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
        where not exists (select from account_holder where ${sameBusinessId(sql`holder."businessId"`)})
        order by "businessId", position
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

/** The account holders with these business ids, in any form of them. An id that is stored in its own form is last. */
export async function findByBusinessIds(em: EntityManager, businessIds: readonly string[]): Promise<AccountHolder[]> {
  if (businessIds.length === 0) return [];
  return query(
    em,
    sql`select ${accountHolderColumns} from account_holder
        where comparison_key(business_id) = any(array(
          select comparison_key(wanted) from unnest(${businessIds}::text[]) as wanted
        ))
        order by business_id = any(${businessIds}::text[]), ordinal desc`,
  );
}

export const findById = (em: EntityManager, id: string): Promise<AccountHolder | undefined> =>
  queryFirst(em, sql`select ${accountHolderColumns} from account_holder where id = ${id}`);

const ordinal = { column: 'account_holder.ordinal', type: 'bigint' } as const;
const byRegistration = new Keyset('account-holders', [ordinal]);
/** The order of the index by which a name is looked for. */
const byName = new Keyset('account-holders-by-name', [{ column: LOWER_NAME, type: 'text' }, ordinal]);

/** As the index of parts of names has it. */
const nameOfAny = { name: sql`account_holder.name`, scope: sql`''` };

/**
 * The account holders, or those with a part of a name as a query of its own. The index finds these however few or many
 * they are: a plan for any values would go through all account holders in order.
 */
export const accountHoldersNamed = (part: string | undefined): Sql =>
  part === undefined
    ? sql`account_holder`
    : sql`(select * from account_holder where ${hasInName(nameOfAny, '', part)} offset 0) as account_holder`;

/** All conditions that are present hold at once. */
export interface AccountHolderFilter {
  readonly businessId?: string | undefined;
  /** How the name begins, without regard to case. */
  readonly name?: string | undefined;
  /** Anywhere in the name, without regard to case and accents. */
  readonly namePart?: string | undefined;
}

/** A page of the account holders, by registration. Those that a beginning of their name picks are by name. */
export async function pageOfAccountHolders(
  em: EntityManager,
  filter: AccountHolderFilter,
  asked: PageAsked,
): Promise<PageOf<AccountHolder>> {
  const { businessId, name, namePart } = filter;
  const conditions = [sql`true`];
  if (businessId !== undefined) conditions.push(sameBusinessId(sql`${businessId}::text`));
  if (name !== undefined) conditions.push(startsWith(raw(LOWER_NAME), name));
  const wanted = join(conditions, ' and ');
  const source = accountHoldersNamed(namePart);
  const part = await (name === undefined ? byRegistration : byName).page<AccountHolder>(
    em,
    { ...asked, scope: filter },
    ({ key, after, order, rows }) =>
      sql`select ${accountHolderColumns}, ${key} from ${source} where ${wanted} and ${after}
          order by ${order} ${rows}`,
  );
  // A business id is one account holder's. A name is counted in what its index finds.
  const isAll = businessId === undefined && name === undefined && namePart === undefined;
  const total = isAll ? countedRows('account-holder', ['']) : sql`(select count(*) from ${source} where ${wanted})`;
  return { ...part, total: await evaluated(em, total) };
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
