import { isoTimestamp, query, sql, type EntityManager, type Sql } from '@saleschannel/database';
import { inThePast } from './past-tasks.ts';

/** What an operator learns of an id. */
export interface FoundThing {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** What bears the id here, however long ago it ended. */
export const findThings = (em: EntityManager, id: string): Promise<FoundThing[]> => {
  const find = (table: Sql): Sql => sql`
    select 'task' as kind, jsonb_strip_nulls(jsonb_build_object(
      'taskId', id, 'type', operation, 'status', status, 'salesChannelId', sales_channel_id,
      'traderId', trader_id, 'transactionId', transaction_id, 'createdAt', ${isoTimestamp('created_at')}
    )) as facts
    from ${table} where id = ${id}`;
  return query(em, sql`${find(sql`task`)} union all ${inThePast(find)}`);
};
