import { query, type EntityManager } from '@saleschannel/database';
import { SalesChannel } from './entities.ts';

export interface SalesChannelRow {
  id: string;
  name: string;
}

export async function findSalesChannel(em: EntityManager, id: string): Promise<SalesChannelRow | undefined> {
  const [row] = await query<SalesChannelRow>(em, 'select id, name from sales_channel where id = ?', [id]);
  return row;
}

/** In the order of their creation. */
export const listSalesChannels = (em: EntityManager): Promise<SalesChannelRow[]> =>
  query<SalesChannelRow>(em, 'select id, name from sales_channel order by created_at, id');

export function addSalesChannel(em: EntityManager, row: SalesChannelRow): void {
  em.persist(em.create(SalesChannel, row));
}

/**
 * Makes all changes of one channel's bindings wait for each other, so that a rule over the whole channel can be checked and kept.
 * The lock leaves room for the foreign keys of new bindings. False for an unknown channel.
 */
export async function lockSalesChannel(em: EntityManager, id: string): Promise<boolean> {
  const rows = await query(em, 'select id from sales_channel where id = ? for no key update', [id]);
  return rows.length > 0;
}
