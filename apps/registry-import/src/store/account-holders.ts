import { isoTimestamp, query, type EntityManager } from '@saleschannel/database';
import type { AccountHolder, AccountHolderContent } from '../domain/account-holder.ts';
import type { Page } from '../domain/page.ts';

interface Row {
  id: string;
  business_id: string;
  name: string;
  postal_code: string;
  city: string;
  country: string;
  street1: string;
  street2: string | null;
  auto_approval: boolean;
  registered_on: string;
}

const columns = `id, business_id, name, postal_code, city, country, street1, street2, auto_approval, ${isoTimestamp('registered_on')} as registered_on`;

const accountHolderOf = (row: Row): AccountHolder => ({
  id: row.id,
  name: row.name,
  businessId: row.business_id,
  address: {
    postalCode: row.postal_code,
    city: row.city,
    country: row.country,
    street1: row.street1,
    street2: row.street2,
  },
  autoApproval: row.auto_approval,
  registeredOn: row.registered_on,
});

/** A set of texts as one parameter; what PostgreSQL cannot hold is not there. */
const setOf = (texts: readonly string[]): string =>
  JSON.stringify([...new Set(texts)].filter((text) => !text.includes('\0') && text.isWellFormed()));

const recordOf = (id: string, content: AccountHolderContent, position: number) => ({
  id,
  position,
  business_id: content.businessId,
  name: content.name,
  postal_code: content.address.postalCode,
  city: content.address.city,
  country: content.address.country,
  street1: content.address.street1,
  street2: content.address.street2,
  auto_approval: content.autoApproval,
});

/** Inserts those whose business id is new, the first of several with the same one, in this order; answers with them. */
export async function insertNew(
  em: EntityManager,
  holders: readonly { id: string; content: AccountHolderContent }[],
): Promise<AccountHolder[]> {
  const rows = await query<Row>(
    em,
    `insert into account_holder (id, business_id, name, postal_code, city, country, street1, street2, auto_approval)
     select id, business_id, name, postal_code, city, country, street1, street2, auto_approval
     from jsonb_to_recordset(?::jsonb) as new (position integer, id text, business_id text, name text, postal_code text, city text, country text,
       street1 text, street2 text, auto_approval boolean)
     order by position
     on conflict (business_id) do nothing
     returning ${columns}`,
    [JSON.stringify(holders.map(({ id, content }, position) => recordOf(id, content, position)))],
  );
  return rows.map(accountHolderOf);
}

export async function findByIds(em: EntityManager, ids: readonly string[]): Promise<AccountHolder[]> {
  const rows = await query<Row>(
    em,
    `select ${columns} from account_holder where id in (select jsonb_array_elements_text(?::jsonb))`,
    [setOf(ids)],
  );
  return rows.map(accountHolderOf);
}

export async function findByBusinessIds(em: EntityManager, businessIds: readonly string[]): Promise<AccountHolder[]> {
  const rows = await query<Row>(
    em,
    `select ${columns} from account_holder where business_id in (select jsonb_array_elements_text(?::jsonb))`,
    [setOf(businessIds)],
  );
  return rows.map(accountHolderOf);
}

/** Ordered by registration. */
export async function listPage(em: EntityManager, page: Page): Promise<{ total: string; holders: AccountHolder[] }> {
  const [counted] = await query<{ total: string }>(em, 'select count(*) as total from account_holder');
  const rows = await query<Row>(em, `select ${columns} from account_holder order by ordinal limit ? offset ?`, [
    page.limit,
    page.offset,
  ]);
  return { total: counted?.total ?? '0', holders: rows.map(accountHolderOf) };
}

/** Locks the row until the end of the transaction. */
export async function lockById(em: EntityManager, id: string): Promise<AccountHolder | undefined> {
  if (id.includes('\0')) return undefined;
  const [row] = await query<Row>(em, `select ${columns} from account_holder where id = ? for update`, [id]);
  return row && accountHolderOf(row);
}

export async function replaceContent(em: EntityManager, id: string, content: AccountHolderContent): Promise<void> {
  const { name, businessId, address, autoApproval } = content;
  await query(
    em,
    `update account_holder set name = ?, business_id = ?, postal_code = ?, city = ?, country = ?, street1 = ?, street2 = ?, auto_approval = ?
     where id = ?`,
    [
      name,
      businessId,
      address.postalCode,
      address.city,
      address.country,
      address.street1,
      address.street2,
      autoApproval,
      id,
    ],
  );
}
