import {
  isoTimestamp,
  lockNames,
  query,
  queryFirst,
  send,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import { MAX_PENDING } from '../domain/delivery.ts';
import type { DisabledReason, Endpoint, NewEndpoint, Replay } from '../domain/endpoint.ts';

export const positionColumns = sql`
  case when position_at is not null then json_build_object(
    'eventId', position_event_id, 'createdAt', ${isoTimestamp('position_at')}
  ) end as position`;

export const replayColumns = sql`
  case when replay_from is not null then json_build_object(
    'from', ${isoTimestamp('replay_from')}, 'to', ${isoTimestamp('replay_to')}, 'failedOnly', replay_failed_only,
    'position', ${isoTimestamp('replay_position_at')}
  ) end as replay`;

const columns = sql`
  endpoint.id, url, description, event_types as "eventTypes", is_ordered as ordered, endpoint.status,
  disabled_reason as "disabledReason", ${isoTimestamp('endpoint.created_at')} as "createdAt",
  created_by as "createdBy", ${positionColumns}, ${isoTimestamp('last_success_at')} as "lastSuccessAt",
  ${isoTimestamp('last_failure_at')} as "lastFailureAt", ${isoTimestamp('failing_since')} as "failingSince",
  ${replayColumns},
  (
    select count(*)::int from (
      select from delivery where endpoint_id = endpoint.id and delivery.status = 'PENDING'
      limit ${MAX_PENDING + 1}
    ) as waiting
  ) as "pendingDeliveries"`;

const secretsAt = (now: string): Sql => sql`
  coalesce((
    select json_agg(json_build_object(
      'createdAt', ${isoTimestamp('endpoint_secret.created_at')}, 'expiresAt', ${isoTimestamp('expires_at')}
    ) order by endpoint_secret.created_at desc, endpoint_secret.id desc)
    from endpoint_secret
    where endpoint_id = endpoint.id and (expires_at is null or expires_at > ${now}::timestamptz)
  ), '[]') as secrets`;

const isOwnedBy = (salesChannelId: string): Sql =>
  sql`sales_channel_id = ${salesChannelId} and endpoint.status <> 'DELETED'`;

/** Lists a channel's endpoints, oldest first. */
export const listEndpoints = (em: EntityManager, salesChannelId: string, now: string): Promise<Endpoint[]> =>
  query(
    em,
    sql`select ${columns}, ${secretsAt(now)} from endpoint where ${isOwnedBy(salesChannelId)}
        order by endpoint.created_at, endpoint.id`,
  );

export const findEndpoint = (
  em: EntityManager,
  id: string,
  salesChannelId: string,
  now: string,
): Promise<Endpoint | undefined> =>
  queryFirst(
    em,
    sql`select ${columns}, ${secretsAt(now)} from endpoint where id = ${id} and ${isOwnedBy(salesChannelId)}`,
  );

/** Locks an endpoint before a change of it or its deliveries. Returns false if the channel has no such endpoint. */
export async function lockEndpoint(em: EntityManager, id: string, salesChannelId: string): Promise<boolean> {
  const found = await queryFirst(
    em,
    sql`select id from endpoint where id = ${id} and ${isOwnedBy(salesChannelId)} for no key update`,
  );
  return found !== undefined;
}

/** Locks all endpoints of a channel, always in the same order. */
export const lockEndpoints = (em: EntityManager, salesChannelId: string): Promise<{ id: string }[]> =>
  query(em, sql`select id from endpoint where ${isOwnedBy(salesChannelId)} order by created_at, id for no key update`);

/** Serializes the creation of endpoints of a channel. */
export const lockChannel = (em: EntityManager, salesChannelId: string): Promise<void> =>
  lockNames(em, [`webhook endpoints of ${salesChannelId}`]);

export async function countEndpoints(em: EntityManager, salesChannelId: string): Promise<number> {
  const found = await queryFirst<{ count: number }>(
    em,
    sql`select count(*)::int as count from endpoint where ${isOwnedBy(salesChannelId)}`,
  );
  return found?.count ?? 0;
}

interface EndpointRow extends NewEndpoint, Pick<Endpoint, 'id' | 'createdAt' | 'createdBy' | 'position'> {
  readonly salesChannelId: string;
}

export function insertEndpoint(em: EntityManager, row: EndpointRow): void {
  const { id, salesChannelId, url, description, eventTypes, ordered, createdAt, createdBy, position } = row;
  send(
    em,
    sql`insert into endpoint (
          id, sales_channel_id, url, description, event_types, is_ordered, status, created_at, created_by,
          position_at, position_event_id
        )
        values (
          ${id}, ${salesChannelId}, ${url}, ${description}, ${eventTypes}::text[], ${ordered}, 'ENABLED',
          ${createdAt}::timestamptz, ${createdBy}, ${position?.createdAt ?? null}::timestamptz,
          ${position?.eventId ?? null}
        )`,
  );
}

/** Settings that owners can change. `failingSince` is reset when the endpoint is enabled again. */
type EndpointSettings = Pick<
  Endpoint,
  'url' | 'description' | 'eventTypes' | 'ordered' | 'status' | 'disabledReason' | 'failingSince'
>;

/** Changes a locked endpoint, and wakes its replica. */
export function updateEndpoint(em: EntityManager, id: string, settings: EndpointSettings, now: string): void {
  const { url, description, eventTypes, ordered, status, disabledReason, failingSince } = settings;
  send(
    em,
    sql`update endpoint set url = ${url}, description = ${description}, event_types = ${eventTypes}::text[],
          is_ordered = ${ordered}, status = ${status}, disabled_reason = ${disabledReason},
          failing_since = ${failingSince}::timestamptz, wake_at = ${now}::timestamptz
        where id = ${id}`,
  );
}

/** Requests a delivery run for a locked endpoint. */
export const requestRun = (em: EntityManager, id: string, now: string): void =>
  send(em, sql`update endpoint set wake_at = ${now}::timestamptz where id = ${id}`);

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

/** Marks locked endpoints as deleted. A job deletes their deliveries. */
export function markDeleted(em: EntityManager, ids: readonly string[]): void {
  send(
    em,
    sql`update endpoint set status = 'DELETED', disabled_reason = null, wake_at = null, lease_holder = null
        where id = any(${ids}::text[])`,
  );
  send(em, sql`delete from endpoint_secret where endpoint_id = any(${ids}::text[])`);
}

/** Counts disabled endpoints by reason. */
export const countDisabled = (em: EntityManager): Promise<{ reason: DisabledReason; endpoints: number }[]> =>
  query(
    em,
    sql`select disabled_reason as reason, count(*)::int as endpoints from endpoint where status = 'DISABLED'
        group by disabled_reason`,
  );
