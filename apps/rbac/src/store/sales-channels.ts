import { query, type EntityManager } from '@saleschannel/database';
import { SalesChannel } from './entities.ts';

export const findSalesChannel = (em: EntityManager, id: string): Promise<SalesChannel | null> => em.findOne(SalesChannel, { id });

export const listSalesChannels = (em: EntityManager): Promise<SalesChannel[]> => em.find(SalesChannel, {}, { orderBy: { createdAt: 'asc', id: 'asc' } });

export function addSalesChannel(em: EntityManager, row: { id: string; name: string }): void {
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
