import {
  hasInName,
  isoTimestamp,
  Keyset,
  query,
  queryFirst,
  raw,
  sql,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type Sql,
} from '@saleschannel/database';
import { CLOSE_AFTER_SUSPENSION_MS, type NamedSalesChannel, type SalesChannel } from '../domain/sales-channel.ts';
import { SalesChannelEntity } from './entities.ts';

export const salesChannelColumns = sql`
  sales_channel.id, sales_channel.name,
  case when sales_channel.suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status,
  ${isoTimestamp('sales_channel.suspended_at')} as "suspendedAt",
  sales_channel.suspended_reason as "suspendedReason", ${isoTimestamp('sales_channel.closed_at')} as "closedAt",
  sales_channel.closed_reason as "closedReason"`;

export const findSalesChannel = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`select ${salesChannelColumns} from sales_channel where id = ${id}`);

/** Those of the ids that there are, each once. */
export const findSalesChannels = (em: EntityManager, ids: readonly string[]): Promise<SalesChannel[]> =>
  query(em, sql`select ${salesChannelColumns} from sales_channel where id = any(${ids}::text[])`);

/** In the order of their creation. */
export const listSalesChannels = (em: EntityManager): Promise<SalesChannel[]> =>
  query(em, sql`select ${salesChannelColumns} from sales_channel order by created_at, id`);

/** Channels of an older release may share a name. */
const byName = new Keyset('open-sales-channels', [
  { column: '(lower(sales_channel.name) collate "C")', type: 'text' },
  { column: 'sales_channel.id', type: 'text' },
]);

/** As the index of parts of names has it. */
const nameOfAny = { name: sql`sales_channel.name`, scope: sql`''` };

/** Each part by its index, however few or many it finds: a plan for any values would go through all channels. */
const salesChannelsLike = (search: string): Sql => sql`(
  (select * from sales_channel where ${hasInName(nameOfAny, '', search)} and id <> ${search} offset 0)
  union all select * from sales_channel where id = ${search}
) as sales_channel`;

/**
 * A page of the channels that are not suspended, by name.
 * @param search only those with this in their name, without regard to case and accents, and the one with this id
 */
export const openSalesChannels = (
  em: EntityManager,
  asked: PageAsked,
  search?: string,
): Promise<ListPart<NamedSalesChannel>> =>
  byName.page(
    em,
    { ...asked, scope: search },
    ({ key, after, order, rows }) =>
      sql`select sales_channel.id, sales_channel.name, ${key}
          from ${search === undefined ? sql`sales_channel` : salesChannelsLike(search)}
          where sales_channel.suspended_at is null and ${after} order by ${order} ${rows}`,
  );

/**
 * Whether a channel other than `id` has a name, in upper or lower case. Names are given one after another: the answer
 * stays true until the transaction ends. A channel that was replaced has left its name to the one in its place.
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

/** Undefined for an unknown channel. */
export const rename = (em: EntityManager, { id, name }: NamedSalesChannel): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`update sales_channel set name = ${name} where id = ${id} returning ${salesChannelColumns}`);

/** Written when the transaction ends. */
export function addSalesChannel(em: EntityManager, channel: NamedSalesChannel): void {
  em.entities.persist(em.entities.create(SalesChannelEntity, channel));
}

/** At once, for what refers to it in the same transaction. */
export const insertSalesChannel = (em: EntityManager, { id, name }: NamedSalesChannel): Promise<unknown> =>
  query(em, sql`insert into sales_channel (id, name) values (${id}, ${name}) returning id`);

/** The channel that stands in for this one. Undefined where none does. */
export async function findReplacement(em: EntityManager, id: string): Promise<string | undefined> {
  const row = await queryFirst<{ replacedBy: string | null }>(
    em,
    sql`select replaced_by as "replacedBy" from sales_channel where id = ${id}`,
  );
  return row?.replacedBy ?? undefined;
}

/** Suspends a channel for good: another one stands in for it. */
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

/** A suspension that stands keeps its time and gets the new reason. Undefined for an unknown channel. */
export const suspend = (em: EntityManager, id: string, reason: string): Promise<SalesChannel | undefined> =>
  queryFirst(
    em,
    sql`update sales_channel set
          suspended_at = coalesce(suspended_at, clock_timestamp()), suspended_reason = ${reason}
        where id = ${id} returning ${salesChannelColumns}`,
  );

/** Undefined for an unknown channel. */
export const resume = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(
    em,
    sql`update sales_channel set suspended_at = null, suspended_reason = null
        where id = ${id} returning ${salesChannelColumns}`,
  );

/** When a channel can be closed that is suspended since then. */
export interface Closable {
  /** ISO 8601. Null for a channel that is not suspended. */
  readonly closableAt: string | null;
  readonly isClosable: boolean;
}

const closableAt = `(suspended_at + interval '${CLOSE_AFTER_SUSPENSION_MS} milliseconds')`;

/** By the database's clock, as the suspension is. Undefined for an unknown channel. */
export const findClosable = (em: EntityManager, id: string): Promise<Closable | undefined> =>
  queryFirst(
    em,
    sql`select ${isoTimestamp(closableAt)} as "closableAt",
          coalesce(${raw(closableAt)} <= clock_timestamp(), false) as "isClosable"
        from sales_channel where id = ${id}`,
  );

/** Closes a suspended channel for good. Undefined for an unknown channel. */
export const close = (em: EntityManager, id: string, reason: string): Promise<SalesChannel | undefined> =>
  queryFirst(
    em,
    sql`update sales_channel set closed_at = clock_timestamp(), closed_reason = ${reason}
        where id = ${id} returning ${salesChannelColumns}`,
  );

/**
 * Makes all changes of one channel and of its bindings wait for each other, so that a rule over the whole channel can
 * be checked and kept. The lock leaves room for the foreign keys of new bindings. Undefined for an unknown channel.
 */
export const lockSalesChannel = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`select ${salesChannelColumns} from sales_channel where id = ${id} for no key update`);
