import { raw, recordset, send, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { Attempt, Delivery } from '../domain/delivery.ts';
import type { DisabledReason, LogPosition } from '../domain/endpoint.ts';
import { suspendPending } from './deliveries.ts';
import type { LockedEndpoint } from './delivery-runs.ts';

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
