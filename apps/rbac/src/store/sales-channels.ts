import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { SalesChannel } from '../domain/sales-channel.ts';
import { SalesChannelEntity } from './entities.ts';

export const findSalesChannel = (em: EntityManager, id: string): Promise<SalesChannel | undefined> =>
  queryFirst(em, sql`select id, name from sales_channel where id = ${id}`);

/** In the order of their creation. */
export const listSalesChannels = (em: EntityManager): Promise<SalesChannel[]> =>
  query(em, sql`select id, name from sales_channel order by created_at, id`);

/** Written when the transaction ends. */
export function addSalesChannel(em: EntityManager, channel: SalesChannel): void {
  em.persist(em.create(SalesChannelEntity, channel));
}

/**
 * Makes all changes of one channel's bindings wait for each other, so that a rule over the whole channel can be checked
 * and kept. The lock leaves room for the foreign keys of new bindings. False for an unknown channel.
 */
export async function lockSalesChannel(em: EntityManager, id: string): Promise<boolean> {
  const locked = await queryFirst(em, sql`select id from sales_channel where id = ${id} for no key update`);
  return locked !== undefined;
}
