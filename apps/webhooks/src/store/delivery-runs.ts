import {
  isoTimestamp,
  query,
  queryFirst,
  raw,
  recordset,
  send,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import { MAX_PENDING, type Attempt, type Delivery } from '../domain/delivery.ts';
import type { DisabledReason, Endpoint, LogPosition } from '../domain/endpoint.ts';
import { deliveryColumns, suspendPending } from './deliveries.ts';
import { positionColumns, replayColumns } from './endpoints.ts';
import type { Lease } from './leases.ts';

/** Endpoint state needed for one delivery run. */
export interface EndpointState extends Pick<
  Endpoint,
  'id' | 'url' | 'eventTypes' | 'ordered' | 'status' | 'position' | 'failingSince' | 'replay'
> {
  readonly salesChannelId: string;
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

export const findDue = (em: EntityManager, endpointId: string, now: string, limit: number): Promise<Delivery[]> =>
  query(
    em,
    sql`select ${deliveryColumns} from delivery
        where endpoint_id = ${endpointId} and status = 'PENDING' and next_attempt_at <= ${now}::timestamptz
        order by next_attempt_at limit ${limit}`,
  );

/** Finds pending deliveries of events in log order, due or not. */
export const findInOrder = (em: EntityManager, endpointId: string, limit: number): Promise<Delivery[]> =>
  query(
    em,
    sql`select ${deliveryColumns} from delivery
        where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null
        order by event_created_at limit ${limit}`,
  );

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

/** Current settings of an endpoint that a run has locked. */
export type LockedEndpoint = Pick<Endpoint, 'url' | 'status' | 'failingSince'>;

/** Locks the leased endpoint until the transaction ends. Returns undefined once the lease has ended. */
export const lockLeased = (em: EntityManager, { endpointId, number }: Lease): Promise<LockedEndpoint | undefined> =>
  queryFirst(
    em,
    sql`select url, status, ${isoTimestamp('failing_since')} as "failingSince" from endpoint
        where id = ${endpointId} and lease_number = ${number}::bigint and lease_holder is not null
          and status <> 'DELETED'
        for no key update`,
  );

/** A delivery after an attempt. */
export interface Outcome {
  readonly delivery: Delivery & { readonly endedAt: string | null };
  readonly attempt: Attempt;
}

/** Results of a run's attempts. Undefined values stay unchanged. */
export interface AttemptsSummary {
  readonly outcomes: readonly Outcome[];
  readonly lastSuccessAt?: string | undefined;
  readonly lastFailureAt?: string | undefined;
  /** Null if the last attempt succeeded. */
  readonly failingSince?: string | null | undefined;
  readonly disable?: DisabledReason | undefined;
}

/** Progress in the log and in the replay. Undefined values stay unchanged. */
export interface Progress {
  readonly position?: LogPosition | undefined;
  /** Null if the replay has ended. */
  readonly replayPosition?: string | null | undefined;
}

export type RunResult = AttemptsSummary & Progress;

/** Writes the results of a run at a locked endpoint. */
export function writeResult(em: EntityManager, endpointId: string, locked: LockedEndpoint, result: RunResult): void {
  if (result.outcomes.length > 0) writeOutcomes(em, result.outcomes);
  const { position, lastSuccessAt, lastFailureAt, failingSince, disable, replayPosition } = result;
  const isDisabled = locked.status === 'ENABLED' && disable !== undefined;
  send(
    em,
    sql`update endpoint set
          position_at = coalesce(${position?.createdAt ?? null}::timestamptz, position_at),
          position_event_id = coalesce(${position?.eventId ?? null}, position_event_id),
          last_success_at = coalesce(${lastSuccessAt ?? null}::timestamptz, last_success_at),
          last_failure_at = coalesce(${lastFailureAt ?? null}::timestamptz, last_failure_at),
          failing_since = case when ${failingSince !== undefined} then ${failingSince ?? null}::timestamptz
            else failing_since end,
          status = case when ${isDisabled} then 'DISABLED' else status end,
          disabled_reason = case when ${isDisabled} then ${disable ?? null} else disabled_reason end,
          replay_position_at = case when ${replayPosition === null} then null
            else coalesce(${replayPosition ?? null}::timestamptz, replay_position_at) end,
          replay_from = case when ${replayPosition === null} then null else replay_from end,
          replay_to = case when ${replayPosition === null} then null else replay_to end,
          replay_failed_only = case when ${replayPosition === null} then null else replay_failed_only end
        where id = ${endpointId}`,
  );
  if (isDisabled || locked.status !== 'ENABLED') suspendPending(em, endpointId);
}

const deliveryRow = {
  id: 'text',
  endpointId: 'text',
  messageId: 'text',
  eventType: 'text',
  eventCreatedAt: 'timestamptz',
  eventAt: 'timestamptz',
  transactionId: 'text',
  eventStatus: 'text',
  previousEventId: 'text',
  status: 'text',
  attemptCount: 'int',
  scheduleAttempts: 'int',
  createdAt: 'timestamptz',
  nextAttemptAt: 'timestamptz',
  endedAt: 'timestamptz',
  attempts: 'jsonb',
} as const;

/** Attempts kept per delivery. Older ones are dropped. */
const MAX_KEPT_ATTEMPTS = 100;

/** A retry requested during a failing attempt wins over its result. */
const unlessRestarted = (column: string): Sql => sql`
  case when excluded.status <> 'SUCCESS' and delivery.status = 'PENDING'
    and delivery.schedule_attempts < excluded.schedule_attempts - 1
  then ${raw(`delivery.${column}`)} else ${raw(`excluded.${column}`)} end`;

function writeOutcomes(em: EntityManager, outcomes: readonly Outcome[]): void {
  const deliveries = outcomes.map(({ delivery, attempt }) => ({
    ...delivery,
    attempts: [attempt],
    eventType: delivery.event?.eventType,
    eventCreatedAt: delivery.event?.createdAt,
    eventAt: delivery.event?.eventAt,
    transactionId: delivery.event?.transactionId,
    eventStatus: delivery.event?.status,
  }));
  // An existing delivery keeps its id and body: a replay may repeat its event.
  send(
    em,
    sql`insert into delivery (
          id, endpoint_id, message_id, event_type, event_created_at, event_at, transaction_id, event_status,
          previous_event_id, status, attempt_count, schedule_attempts, created_at, next_attempt_at, ended_at, attempts
        )
        select id, "endpointId", "messageId", "eventType", "eventCreatedAt", "eventAt", "transactionId", "eventStatus",
          "previousEventId", status, "attemptCount", "scheduleAttempts", "createdAt", "nextAttemptAt", "endedAt",
          attempts
        from ${recordset('outcome', deliveryRow, deliveries)}
        on conflict (endpoint_id, message_id) do update set attempt_count = excluded.attempt_count,
          status = ${unlessRestarted('status')}, schedule_attempts = ${unlessRestarted('schedule_attempts')},
          next_attempt_at = ${unlessRestarted('next_attempt_at')}, ended_at = ${unlessRestarted('ended_at')},
          attempts = case when jsonb_array_length(delivery.attempts) < ${MAX_KEPT_ATTEMPTS} then delivery.attempts
            else delivery.attempts - 0 end || excluded.attempts`,
  );
}

/** Work left for the next run of an endpoint. */
export interface NextRun {
  /** True if the endpoint reads no events for now: it is disabled, or waiting deliveries hold up the log. */
  readonly isBlocked: boolean;
  readonly hasReplay: boolean;
  /** False if the lease was released. */
  readonly isLeased: boolean;
}

/**
 * Sets `wake_at` of a locked endpoint to its next due attempt: for an ordered endpoint that of its oldest pending
 * event, or of a test. Releases the lease of a disabled endpoint when nothing is pending.
 */
export async function scheduleNextRun(em: EntityManager, endpointId: string): Promise<NextRun> {
  const found = await queryFirst<NextRun>(
    em,
    sql`with test as (
          select min(next_attempt_at) as at from delivery
          where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is null
            and next_attempt_at is not null
        ), head as (
          select next_attempt_at as at from delivery
          where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null
          order by event_created_at limit 1
        ), due as (
          select min(next_attempt_at) as at from delivery
          where endpoint_id = ${endpointId} and status = 'PENDING' and next_attempt_at is not null
        ), next as (
          select case when is_ordered then least(
              (select at from test), case when status = 'ENABLED' then (select at from head) end
            )
            else (select at from due) end as at
          from endpoint where id = ${endpointId}
        )
        update endpoint set wake_at = next.at,
          lease_holder = case when status = 'DISABLED' and next.at is null then null else lease_holder end
        from next where id = ${endpointId}
        returning replay_from is not null as "hasReplay", lease_holder is not null as "isLeased",
          status <> 'ENABLED' or case when is_ordered then exists (select from head) else ${MAX_PENDING} <= (
            select count(*) from (
              select from delivery
              where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null
              limit ${MAX_PENDING}
            ) as waiting
          ) end as "isBlocked"`,
  );
  if (!found) throw new Error('The locked endpoint does not exist.');
  return found;
}
