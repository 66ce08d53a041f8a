import { isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';

/** What an operator learns of an id. */
interface FoundThing {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** What bears the id here. Where messages are sent is the business of the sales channel. */
export const findThings = (em: EntityManager, id: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'webhook endpoint' as kind, jsonb_build_object(
          'webhookEndpointId', id, 'salesChannelId', sales_channel_id, 'status', status,
          'disabledReason', coalesce(disabled_reason, 'none'), 'createdAt', ${isoTimestamp('created_at')}
        ) as facts
        from endpoint where id = ${id} and status <> 'DELETED'
        union all
        select 'webhook delivery', jsonb_build_object(
          'deliveryId', id, 'webhookEndpointId', endpoint_id, 'messageId', message_id, 'status', status,
          'attempts', attempt_count::text, 'createdAt', ${isoTimestamp('created_at')}
        )
        from delivery where id = ${id}`,
  );
