import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { MAX_PENDING, type Delivery } from '../domain/delivery.ts';
import { deliveryColumns } from './deliveries.ts';

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
