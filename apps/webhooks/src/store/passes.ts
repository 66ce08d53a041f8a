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
import { PENDING_AT_MOST, type Attempt, type Delivery } from '../domain/delivery.ts';
import type { DisabledReason, EndpointStatus, LogPosition, Replay } from '../domain/endpoint.ts';
import { deliveryColumns, holdPending } from './deliveries.ts';
import { positionColumns, replayColumns } from './endpoints.ts';
import type { Lease } from './leases.ts';

/** An endpoint as it is worked. */
export interface WorkedEndpoint {
  readonly id: string;
  readonly salesChannelId: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly ordered: boolean;
  readonly status: EndpointStatus;
  readonly position: LogPosition | null;
  readonly failingSince: string | null;
  readonly replay: Replay | null;
  readonly pending: number;
  /** When the last of its deliveries was made. */
  readonly lastDeliveryAt: string | null;
  /** Newest first. */
  readonly secrets: readonly string[];
}

/** Undefined when the lease is over, or the endpoint deleted. */
export const loadEndpoint = (
  em: EntityManager,
  { endpointId, number }: Lease,
  now: string,
): Promise<WorkedEndpoint | undefined> =>
  queryFirst(
    em,
    sql`select id, sales_channel_id as "salesChannelId", url, event_types as "eventTypes", is_ordered as ordered,
          status, ${positionColumns}, ${isoTimestamp('failing_since')} as "failingSince", ${replayColumns},
          (
            select count(*)::int from (
              select from delivery
              where endpoint_id = endpoint.id and delivery.status = 'PENDING' and event_type is not null
              limit ${PENDING_AT_MOST}
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

/** Deliveries that are due. */
export const findDue = (em: EntityManager, endpointId: string, now: string, atMost: number): Promise<Delivery[]> =>
  query(
    em,
    sql`select ${deliveryColumns} from delivery
        where endpoint_id = ${endpointId} and status = 'PENDING' and next_attempt_at <= ${now}::timestamptz
        order by next_attempt_at limit ${atMost}`,
  );

/** Deliveries that wait, in the order of the log: whether they are due or not. */
export const findInOrder = (em: EntityManager, endpointId: string, atMost: number): Promise<Delivery[]> =>
  query(
    em,
    sql`select ${deliveryColumns} from delivery
        where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null
        order by event_created_at limit ${atMost}`,
  );

/** Those deliveries of an endpoint that there are of these events. */
export const findOfEvents = (em: EntityManager, endpointId: string, eventIds: readonly string[]): Promise<Delivery[]> =>
  query(
    em,
    sql`select ${deliveryColumns} from delivery
        where endpoint_id = ${endpointId} and message_id = any(${eventIds}::text[])`,
  );

/** What became of a message. */
export interface Outcome {
  readonly delivery: Delivery & { readonly endedAt: string | null };
  readonly attempt: Attempt;
}

/** What a pass has done. What is undefined stays. */
export interface PassResult {
  readonly outcomes: readonly Outcome[];
  readonly position?: LogPosition | undefined;
  readonly lastSuccessAt?: string | undefined;
  readonly lastFailureAt?: string | undefined;
  /** Null: the last attempt succeeded. */
  readonly failingSince?: string | null | undefined;
  readonly disable?: DisabledReason | undefined;
  /** Null: it has ended. */
  readonly replayPosition?: string | null | undefined;
}

/** How an endpoint is locked for a pass. */
export interface LockedEndpoint {
  readonly url: string;
  readonly status: EndpointStatus;
  readonly ordered: boolean;
  readonly failingSince: string | null;
  /** Which replay is under way. */
  readonly replay: Replay | null;
}

/** Locks the endpoint of a lease until the transaction ends. Undefined when the lease is over. */
export const lockLeased = (em: EntityManager, { endpointId, number }: Lease): Promise<LockedEndpoint | undefined> =>
  queryFirst(
    em,
    sql`select url, status, is_ordered as ordered, ${isoTimestamp('failing_since')} as "failingSince", ${replayColumns}
        from endpoint
        where id = ${endpointId} and lease_number = ${number}::bigint and lease_holder is not null
          and status <> 'DELETED'
        for no key update`,
  );

/** Writes what a pass has done at an endpoint that is locked. */
export function writePass(em: EntityManager, endpointId: string, locked: LockedEndpoint, result: PassResult): void {
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
  if (isDisabled || locked.status !== 'ENABLED') holdPending(em, endpointId);
}

/** When an endpoint is to be looked at again, and what holds up what follows in the log. */
export interface AfterPass {
  readonly status: EndpointStatus;
  /** It gets nothing of the log for now. */
  readonly isBlocked: boolean;
  readonly hasReplay: boolean;
  readonly isAwaited: boolean;
}

/** Sets when an endpoint that is locked is looked at again. One that has nothing to do is left. */
export async function planWake(em: EntityManager, endpointId: string): Promise<AfterPass> {
  const found = await queryFirst<AfterPass>(
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
        returning status, replay_from is not null as "hasReplay", lease_holder is not null as "isAwaited",
          status <> 'ENABLED' or case when is_ordered then exists (select from head) else ${PENDING_AT_MOST} <= (
            select count(*) from (
              select from delivery
              where endpoint_id = ${endpointId} and status = 'PENDING' and event_type is not null
              limit ${PENDING_AT_MOST}
            ) as waiting
          ) end as "isBlocked"`,
  );
  if (!found) throw new Error('an endpoint that is locked is not there');
  return found;
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

/** As many as there is room for. */
const ATTEMPTS_KEPT = 100;

/** Where somebody had the schedule begin anew while an attempt was under way that has failed now, that counts. */
const unlessBegunAnew = (column: string): Sql => sql`
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
  // A delivery that there is keeps its id and what was sent: a replay may have come to its event before.
  send(
    em,
    sql`insert into delivery (
          id, endpoint_id, message_id, event_type, event_created_at, event_at, transaction_id, event_status,
          previous_event_id, status, attempt_count, schedule_attempts, created_at, next_attempt_at, ended_at, attempts
        )
        select id, "endpointId", "messageId", "eventType", "eventCreatedAt", "eventAt", "transactionId", "eventStatus",
          "previousEventId", status, "attemptCount", "scheduleAttempts", "createdAt", "nextAttemptAt", "endedAt",
          attempts
        from ${recordset('given', deliveryRow, deliveries)}
        on conflict (endpoint_id, message_id) do update set attempt_count = excluded.attempt_count,
          status = ${unlessBegunAnew('status')}, schedule_attempts = ${unlessBegunAnew('schedule_attempts')},
          next_attempt_at = ${unlessBegunAnew('next_attempt_at')}, ended_at = ${unlessBegunAnew('ended_at')},
          attempts = case when jsonb_array_length(delivery.attempts) < ${ATTEMPTS_KEPT} then delivery.attempts
            else delivery.attempts - 0 end || excluded.attempts`,
  );
}
