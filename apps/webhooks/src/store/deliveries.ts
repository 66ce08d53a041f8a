import {
  isoTimestamp,
  join,
  Keyset,
  query,
  queryFirst,
  send,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
} from '@saleschannel/database';
import type { Attempt, Delivery, DeliveryFilter, ListedDelivery } from '../domain/delivery.ts';

export const deliveryColumns = sql`
  delivery.id, endpoint_id as "endpointId", message_id as "messageId",
  case when event_type is not null then json_build_object(
    'id', message_id, 'eventType', event_type, 'createdAt', ${isoTimestamp('event_created_at')},
    'eventAt', ${isoTimestamp('event_at')}, 'transactionId', transaction_id, 'status', event_status
  ) end as event,
  previous_event_id as "previousEventId", delivery.status, attempt_count as "attemptCount",
  schedule_attempts as "scheduleAttempts", ${isoTimestamp('delivery.created_at')} as "createdAt",
  ${isoTimestamp('next_attempt_at')} as "nextAttemptAt"`;

const lastAttempt = sql`attempts -> -1 as "lastAttempt"`;

const key = [
  { column: 'delivery.created_at', type: 'timestamptz' },
  { column: 'delivery.id', type: 'text' },
] as const;
const oldestFirst = new Keyset('deliveries', key);
const newestFirst = new Keyset('deliveries', key, { descending: true });

const timestamp = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Lists deliveries of an endpoint, page by page. */
export function listDeliveries(
  em: EntityManager,
  endpointId: string,
  filter: DeliveryFilter,
  ascending: boolean,
  page: PageRequest,
): Promise<ListPart<ListedDelivery>> {
  const { status, eventId, createdAt } = filter;
  const conditions = [sql`endpoint_id = ${endpointId}`];
  if (status !== undefined) conditions.push(sql`delivery.status = ${status}`);
  // Repeats the condition of the partial index, so that plans for any status use it.
  if (status !== undefined && status !== 'SUCCESS') conditions.push(sql`delivery.status <> 'SUCCESS'`);
  if (eventId !== undefined) conditions.push(sql`message_id = ${eventId} and event_type is not null`);
  if (createdAt.fromMs !== undefined) conditions.push(sql`delivery.created_at >= ${timestamp(createdAt.fromMs)}`);
  if (createdAt.toMs !== undefined) conditions.push(sql`delivery.created_at <= ${timestamp(createdAt.toMs)}`);
  return (ascending ? oldestFirst : newestFirst).page(
    em,
    { ...page, scope: [endpointId, filter] },
    ({ key, after, order, rows }) =>
      sql`select ${deliveryColumns}, ${lastAttempt}, ${key} from delivery
          where ${join(conditions, ' and ')} and ${after} order by ${order} ${rows}`,
  );
}

export const findDelivery = (em: EntityManager, id: string, endpointId: string): Promise<ListedDelivery | undefined> =>
  queryFirst(
    em,
    sql`select ${deliveryColumns}, ${lastAttempt} from delivery where id = ${id} and endpoint_id = ${endpointId}`,
  );

/** Returns the recorded attempts of a delivery, oldest first. */
export async function listAttempts(em: EntityManager, deliveryId: string): Promise<readonly Attempt[]> {
  const found = await queryFirst<{ attempts: readonly Attempt[] }>(
    em,
    sql`select attempts from delivery where id = ${deliveryId}`,
  );
  return found?.attempts ?? [];
}

/** Inserts a test message, which is due at once. */
export function insertTest(em: EntityManager, { id, endpointId, messageId, createdAt }: Delivery): void {
  send(
    em,
    sql`insert into delivery (
          id, endpoint_id, message_id, status, attempt_count, schedule_attempts, created_at, next_attempt_at
        )
        values (
          ${id}, ${endpointId}, ${messageId}, 'PENDING', 0, 0, ${createdAt}::timestamptz, ${createdAt}::timestamptz
        )`,
  );
}

/** Counts pending tests of an endpoint. */
export async function countTests(em: EntityManager, endpointId: string): Promise<number> {
  const found = await queryFirst<{ count: number }>(
    em,
    sql`select count(*)::int as count from delivery
        where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is null`,
  );
  return found?.count ?? 0;
}

/** Restarts the schedule of a delivery now. Its endpoint must be locked. */
export const restartDelivery = (em: EntityManager, id: string, now: string): void =>
  send(
    em,
    sql`update delivery set status = 'PENDING', schedule_attempts = 0, next_attempt_at = ${now}::timestamptz,
          ended_at = null
        where id = ${id}`,
  );

/** Restarts the schedules of all pending events of a locked endpoint. */
export const restartPending = (em: EntityManager, endpointId: string, now: string): void =>
  send(
    em,
    sql`update delivery set schedule_attempts = 0, next_attempt_at = ${now}::timestamptz
        where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null`,
  );

/** Makes pending events of a locked endpoint wait until it is enabled. Tests stay due. */
export const suspendPending = (em: EntityManager, endpointId: string): void =>
  send(
    em,
    sql`update delivery set next_attempt_at = null
        where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null
          and next_attempt_at is not null`,
  );

/** Deletes deliveries that ended before a time, and returns their number. */
export async function deleteEnded(em: EntityManager, before: string, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from delivery where id = any (array(
          select id from delivery where ended_at < ${before}::timestamptz order by ended_at
          limit ${limit} for update skip locked
        )) returning id`,
  );
  return deleted.length;
}

/** Deletes deliveries of deleted endpoints, and returns their number. */
export async function deleteDeliveriesOfDeletedEndpoints(em: EntityManager, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from delivery where id = any (array(
          select delivery.id from endpoint cross join lateral (
            select id from delivery where endpoint_id = endpoint.id limit ${limit} for update skip locked
          ) as delivery
          where endpoint.status = 'DELETED' limit ${limit}
        )) returning id`,
  );
  return deleted.length;
}

/** Deletes deleted endpoints without deliveries. */
export async function deleteEmptyEndpoints(em: EntityManager, limit: number): Promise<void> {
  await query(
    em,
    sql`delete from endpoint where id = any (array(
          select id from endpoint where status = 'DELETED'
            and not exists (select from delivery where endpoint_id = endpoint.id)
          limit ${limit} for update skip locked
        ))`,
  );
}
