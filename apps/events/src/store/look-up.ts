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
    sql`select 'event' as kind, jsonb_build_object(
          'eventId', id, 'eventType', event_type, 'salesChannelId', sales_channel_id,
          'transactionId', transaction_id, 'status', status, 'createdAt', ${isoTimestamp('created_at')}
        ) as facts
        from event where id = ${id}`,
  );
