import { query, queryFirst, send, sql, type EntityManager } from '@saleschannel/database';
import type { Fault, FaultKind } from '../domain/endpoint.ts';

/** Sets the sandbox fault of locked endpoints, replacing an earlier one. */
export const setFault = (em: EntityManager, endpointIds: readonly string[], fault: Fault): void =>
  send(
    em,
    sql`insert into endpoint_fault (endpoint_id, kind, until, retry_after_seconds)
        select id, ${fault.kind}, ${fault.until}::timestamptz, ${fault.retryAfterSeconds}::int
        from unnest(${endpointIds}::text[]) as id
        on conflict (endpoint_id) do update set kind = excluded.kind, until = excluded.until,
          retry_after_seconds = excluded.retry_after_seconds`,
  );

export async function findFault(em: EntityManager, endpointId: string, now: string): Promise<FaultKind | undefined> {
  const found = await queryFirst<{ kind: FaultKind }>(
    em,
    sql`select kind from endpoint_fault where endpoint_id = ${endpointId} and until > ${now}::timestamptz`,
  );
  return found?.kind;
}

/** Consumes the fault LATE, and returns its Retry-After in seconds. Of concurrent callers, one gets it. */
export async function consumeLateFault(
  em: EntityManager,
  endpointId: string,
  now: string,
): Promise<number | undefined> {
  const found = await queryFirst<{ seconds: number }>(
    em,
    sql`delete from endpoint_fault
        where endpoint_id = ${endpointId} and kind = 'LATE' and until > ${now}::timestamptz
        returning retry_after_seconds as seconds`,
  );
  return found?.seconds;
}

/** Marks a locked sales channel as replaced by a reset. */
export const markReplaced = (em: EntityManager, salesChannelId: string, now: string): void =>
  send(
    em,
    sql`insert into left_sales_channel (sales_channel_id, left_at) values (${salesChannelId}, ${now}::timestamptz)
        on conflict do nothing`,
  );

export async function isReplaced(em: EntityManager, salesChannelId: string): Promise<boolean> {
  const found = await query(em, sql`select from left_sales_channel where sales_channel_id = ${salesChannelId}`);
  return found.length > 0;
}
