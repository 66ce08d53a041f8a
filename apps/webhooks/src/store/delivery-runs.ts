import { isoTimestamp, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { MAX_PENDING } from '../domain/delivery.ts';
import type { EndpointStatus, LogPosition, Replay } from '../domain/endpoint.ts';
import { positionColumns } from './endpoints.ts';
import type { Lease } from './leases.ts';
import { replayColumns } from './replays.ts';

/** Endpoint state needed for one delivery run. */
export interface EndpointState {
  readonly id: string;
  readonly salesChannelId: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly ordered: boolean;
  readonly status: EndpointStatus;
  readonly position: LogPosition | null;
  readonly failingSince: string | null;
  readonly replay: Replay | null;
  /** Pending deliveries of events, at most MAX_PENDING. */
  readonly pending: number;
  /** Creation time of the newest delivery. */
  readonly lastDeliveryAt: string | null;
  /** Sealed, newest first. */
  readonly secrets: readonly string[];
}

/** Returns undefined once the lease has ended or the endpoint is deleted. */
export const loadEndpoint = (
  em: EntityManager,
  { endpointId, number }: Lease,
  now: string,
): Promise<EndpointState | undefined> =>
  queryFirst(
    em,
    sql`select id, sales_channel_id as "salesChannelId", url, event_types as "eventTypes", is_ordered as ordered,
          status, ${positionColumns}, ${isoTimestamp('failing_since')} as "failingSince", ${replayColumns},
          (
            select count(*)::int from (
              select from delivery
              where endpoint_id = endpoint.id and delivery.status = 'PENDING' and event_type is not null
              limit ${MAX_PENDING}
            ) as waiting
          ) as pending,
          (
            select ${isoTimestamp('delivery.created_at')} from delivery where endpoint_id = endpoint.id
            order by delivery.created_at desc limit 1
          ) as "lastDeliveryAt",
          coalesce((
            select json_agg(sealed order by endpoint_secret.created_at desc, endpoint_secret.id desc)
            from endpoint_secret
            where endpoint_id = endpoint.id and (expires_at is null or expires_at > ${now}::timestamptz)
          ), '[]') as secrets
        from endpoint
        where id = ${endpointId} and lease_number = ${number}::bigint and lease_holder is not null
          and status <> 'DELETED'`,
  );

/** Current settings of an endpoint that a run has locked. */
export interface LockedEndpoint {
  readonly url: string;
  readonly status: EndpointStatus;
  readonly failingSince: string | null;
}

/** Locks the leased endpoint until the transaction ends. Returns undefined once the lease has ended. */
export const lockLeased = (em: EntityManager, { endpointId, number }: Lease): Promise<LockedEndpoint | undefined> =>
  queryFirst(
    em,
    sql`select url, status, ${isoTimestamp('failing_since')} as "failingSince" from endpoint
        where id = ${endpointId} and lease_number = ${number}::bigint and lease_holder is not null
          and status <> 'DELETED'
        for no key update`,
  );
