import { isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';

/** A record with the id, and the facts that operators see. */
interface FoundRecord {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** Finds records with the id. URLs are left out: they concern the sales channel only. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
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
