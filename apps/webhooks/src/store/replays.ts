import { isoTimestamp, query, send, sql, type EntityManager } from '@saleschannel/database';
import type { Delivery } from '../domain/delivery.ts';
import type { Replay } from '../domain/endpoint.ts';
import { deliveryColumns } from './deliveries.ts';

export const replayColumns = sql`
  case when replay_from is not null then json_build_object(
    'from', ${isoTimestamp('replay_from')}, 'to', ${isoTimestamp('replay_to')}, 'failedOnly', replay_failed_only,
    'position', ${isoTimestamp('replay_position_at')}
  ) end as replay`;

/** Begins a replay at a locked endpoint. */
export function beginReplay(
  em: EntityManager,
  id: string,
  { from, to, failedOnly }: Omit<Replay, 'position'>,
  now: string,
): void {
  send(
    em,
    sql`update endpoint set replay_from = ${from}::timestamptz, replay_to = ${to}::timestamptz,
          replay_failed_only = ${failedOnly}, replay_position_at = null, wake_at = ${now}::timestamptz
        where id = ${id}`,
  );
}

/** Finds existing deliveries of these events to the endpoint. */
export const findDeliveriesOfEvents = (
  em: EntityManager,
  endpointId: string,
  eventIds: readonly string[],
): Promise<Delivery[]> =>
  query(
    em,
    sql`select ${deliveryColumns} from delivery
        where endpoint_id = ${endpointId} and message_id = any(${eventIds}::text[])`,
  );
