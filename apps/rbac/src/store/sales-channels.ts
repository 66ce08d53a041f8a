import {
  nameContains,
  isoTimestamp,
  Keyset,
  query,
  queryFirst,
  raw,
  send,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type Sql,
} from '@saleschannel/database';
import { CLOSE_AFTER_SUSPENSION_MS, type NamedSalesChannel, type SalesChannel } from '../domain/sales-channel.ts';

export const salesChannelColumns = sql`
  sales_channel.id, sales_channel.name,
  case when sales_channel.suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status,
  ${isoTimestamp('sales_channel.suspended_at')} as "suspendedAt",
  sales_channel.suspended_reason as "suspendedReason", ${isoTimestamp('sales_channel.closed_at')} as "closedAt",
  sales_channel.closed_reason as "closedReason"`;

export const findSalesChannel = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`select ${salesChannelColumns} from sales_channel where id = ${id}`);

/** Finds channels, each once. Unknown ids are missing in the result. */
export const findSalesChannels = (em: EntityManager, ids: readonly string[]): Promise<SalesChannel[]> =>
  query(em, sql`select ${salesChannelColumns} from sales_channel where id = any(${ids}::text[])`);

/** Lists channels, oldest first. */
export const listSalesChannels = (em: EntityManager): Promise<SalesChannel[]> =>
  query(em, sql`select ${salesChannelColumns} from sales_channel order by created_at, id`);

/** Channels created by older releases may share a name. */
const byName = new Keyset('open-sales-channels', [
  { column: '(lower(sales_channel.name) collate "C")', type: 'text' },
  { column: 'sales_channel.id', type: 'text' },
]);

/** Matches the index of name parts. */
const indexedName = { name: sql`sales_channel.name`, scope: sql`''` };

/** Forces the use of the indexes: a generic plan would scan all channels. */
const searchResult = (search: string): Sql => sql`(
  (select * from sales_channel where ${nameContains(indexedName, '', search)} and id <> ${search} offset 0)
  union all select * from sales_channel where id = ${search}
) as sales_channel`;

/**
 * Returns a page of channels that are not suspended, by name.
 * @param search part of the name, ignoring case and accents, or an id
 */
export const listOpenSalesChannels = (
  em: EntityManager,
  page: PageRequest,
  search?: string,
): Promise<ListPart<NamedSalesChannel>> =>
  byName.page(
    em,
    { ...page, scope: search },
    ({ key, after, order, rows }) =>
      sql`select sales_channel.id, sales_channel.name, ${key}
          from ${search === undefined ? sql`sales_channel` : searchResult(search)}
          where sales_channel.suspended_at is null and ${after} order by ${order} ${rows}`,
  );

/**
 * Reports whether another channel has a name, ignoring case. Serializes naming, so that the result holds until the
 * transaction ends. The name of a replaced channel belongs to its replacement.
 */
export async function isNameTaken(em: EntityManager, { id, name }: NamedSalesChannel): Promise<boolean> {
  await query(em, sql`select pg_advisory_xact_lock(hashtextextended('sales-channel-name', 0))`);
  const other = await queryFirst(
    em,
    sql`select id from sales_channel
        where id <> ${id} and replaced_by is null
          and lower(comparison_key(name)) = lower(comparison_key(${name})) limit 1`,
  );
  return other !== undefined;
}

/** Returns undefined for an unknown channel. */
export const rename = (em: EntityManager, { id, name }: NamedSalesChannel): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`update sales_channel set name = ${name} where id = ${id} returning ${salesChannelColumns}`);

export const insertSalesChannel = (em: EntityManager, { id, name }: NamedSalesChannel): void =>
  send(em, sql`insert into sales_channel (id, name) values (${id}, ${name})`);

/** Finds the replacement of a channel. Returns undefined if there is none. */
export async function findReplacement(em: EntityManager, id: string): Promise<string | undefined> {
  const row = await queryFirst<{ replacedBy: string | null }>(
    em,
    sql`select replaced_by as "replacedBy" from sales_channel where id = ${id}`,
  );
  return row?.replacedBy ?? undefined;
}

/** Suspends a channel for good in favour of its replacement. */
export const replaceSalesChannel = (
  em: EntityManager,
  id: string,
  replacedBy: string,
  reason: string,
): Promise<unknown> =>
  query(
    em,
    sql`update sales_channel set
          replaced_by = ${replacedBy}, suspended_at = clock_timestamp(), suspended_reason = ${reason}
        where id = ${id} returning id`,
  );

/** Suspends a channel. If already suspended, only the reason changes. Returns undefined for an unknown channel. */
export const suspend = (em: EntityManager, id: string, reason: string): Promise<SalesChannel | undefined> =>
  queryFirst(
    em,
    sql`update sales_channel set
          suspended_at = coalesce(suspended_at, clock_timestamp()), suspended_reason = ${reason}
        where id = ${id} returning ${salesChannelColumns}`,
  );

/** Returns undefined for an unknown channel. */
export const resume = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(
    em,
    sql`update sales_channel set suspended_at = null, suspended_reason = null
        where id = ${id} returning ${salesChannelColumns}`,
  );

/** Whether and when a suspended channel can be closed. */
export interface Closable {
  /** In ISO 8601. Null for a channel that is not suspended. */
  readonly closableAt: string | null;
  readonly isClosable: boolean;
}

const closableAt = `(suspended_at + interval '${CLOSE_AFTER_SUSPENSION_MS} milliseconds')`;

/** Uses the database's clock, like the suspension. Returns undefined for an unknown channel. */
export const findClosable = (em: EntityManager, id: string): Promise<Closable | undefined> =>
  queryFirst(
    em,
    sql`select ${isoTimestamp(closableAt)} as "closableAt",
          coalesce(${raw(closableAt)} <= clock_timestamp(), false) as "isClosable"
        from sales_channel where id = ${id}`,
  );

/** Closes a suspended channel for good. Returns undefined for an unknown channel. */
export const close = (em: EntityManager, id: string, reason: string): Promise<SalesChannel | undefined> =>
  queryFirst(
    em,
    sql`update sales_channel set closed_at = clock_timestamp(), closed_reason = ${reason}
        where id = ${id} returning ${salesChannelColumns}`,
  );

/**
 * Serializes changes of a channel and its bindings, so that rules over the whole channel can be checked. The lock
 * allows foreign keys of new bindings. Returns undefined for an unknown channel.
 */
export const lockSalesChannel = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`select ${salesChannelColumns} from sales_channel where id = ${id} for no key update`);
