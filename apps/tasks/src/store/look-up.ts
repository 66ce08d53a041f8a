import { isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';

/** What an operator learns of an id. */
export interface FoundThing {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** What bears the id here. */
export const findThings = (em: EntityManager, id: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'task' as kind, jsonb_strip_nulls(jsonb_build_object(
          'taskId', id, 'type', operation, 'status', status, 'salesChannelId', sales_channel_id,
          'traderId', trader_id, 'transactionId', transaction_id, 'createdAt', ${isoTimestamp('created_at')}
        )) as facts
        from task where id = ${id}`,
  );
