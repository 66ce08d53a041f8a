import { query, queryFirst, send, sql, isoTimestamp, type EntityManager, type Sql } from '@saleschannel/database';

/** A replica's lease of an endpoint. It ends when another lease with a higher number begins. */
export interface Lease {
  readonly endpointId: string;
  readonly salesChannelId: string;
  readonly holder: string;
  readonly number: string;
}

/** A new lease, with the endpoint's state. */
export interface ClaimedLease extends Lease {
  readonly positionAt: string | null;
  readonly isFailing: boolean;
}

/** Leases use the database's clock, which all replicas share. */
const leaseEnd = (leaseMs: number): Sql => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1_000})`;

export async function registerWorker(em: EntityManager, id: string, leaseMs: number): Promise<void> {
  await query(em, sql`insert into worker (id, until) values (${id}, ${leaseEnd(leaseMs)})`);
}

/** Returns false if other replicas have deleted the row as expired. */
export async function renewWorker(em: EntityManager, id: string, leaseMs: number): Promise<boolean> {
  const renewed = await queryFirst(
    em,
    sql`update worker set until = ${leaseEnd(leaseMs)} where id = ${id} returning id`,
  );
  return renewed !== undefined;
}

/** Deletes expired rows of other replicas and frees their endpoints. */
export async function deleteExpiredWorkers(em: EntityManager, own: string): Promise<void> {
  const dead = await query<{ id: string }>(
    em,
    sql`delete from worker where until <= clock_timestamp() and id <> ${own} returning id`,
  );
  if (dead.length === 0) return;
  const ids = dead.map(({ id }) => id);
  send(em, sql`update endpoint set lease_holder = null where lease_holder = any(${ids}::text[])`);
}

/** Deletes a replica's row and frees its endpoints. */
export async function deleteWorker(em: EntityManager, id: string): Promise<void> {
  await query(em, sql`delete from worker where id = ${id}`);
  send(em, sql`update endpoint set lease_holder = null where lease_holder = ${id}`);
}

interface WorkCount {
  readonly workers: number;
  readonly endpoints: number;
  /** False if other replicas have deleted this one's row as expired. */
  readonly isKnown: boolean;
  /** True if the row of another replica has expired. */
  readonly hasDead: boolean;
  /** True if an endpoint can be claimed. */
  readonly hasFree: boolean;
}

const isClaimable = sql`lease_holder is null and status <> 'DELETED' and (status = 'ENABLED' or wake_at is not null)`;

/** Counts replicas, and the endpoints that they share: enabled ones, and disabled ones with due work. */
export async function countWork(em: EntityManager, own: string): Promise<WorkCount> {
  const found = await queryFirst<WorkCount>(
    em,
    sql`select (select count(*)::int from worker) as workers,
          (select count(*)::int from endpoint where status = 'ENABLED')
            + (select count(*)::int from endpoint where status = 'DISABLED' and wake_at is not null) as endpoints,
          exists (select from worker where id = ${own}) as "isKnown",
          exists (select from worker where until <= clock_timestamp() and id <> ${own}) as "hasDead",
          exists (select from endpoint where ${isClaimable}) as "hasFree"`,
  );
  if (!found) throw new Error('The count returned no row.');
  return found;
}

/**
 * Claims free endpoints that are enabled or have due work. Requires the replica's row: leases are freed together with
 * it.
 */
export const claim = (em: EntityManager, holder: string, limit: number): Promise<ClaimedLease[]> =>
  query(
    em,
    sql`with own as materialized (select id from worker where id = ${holder} for key share)
        update endpoint set lease_holder = ${holder}, lease_number = lease_number + 1
        where exists (select from own) and id = any (array(
          select id from endpoint
          where ${isClaimable}
          order by id limit ${limit} for no key update skip locked
        ))
        returning id as "endpointId", sales_channel_id as "salesChannelId", lease_holder as holder,
          lease_number::text as number, ${isoTimestamp('position_at')} as "positionAt",
          failing_since is not null as "isFailing"`,
  );

/** Frees some of a replica's endpoints. */
export async function release(em: EntityManager, holder: string, endpointIds: readonly string[]): Promise<void> {
  await query(
    em,
    sql`update endpoint set lease_holder = null where id = any(${endpointIds}::text[]) and lease_holder = ${holder}`,
  );
}

/** Frees endpoints that a replica holds in the database only, because the answer to its claim was lost. */
export async function releaseOthers(em: EntityManager, holder: string, known: readonly string[]): Promise<void> {
  await query(
    em,
    sql`update endpoint set lease_holder = null where lease_holder = ${holder} and id <> all(${known}::text[])`,
  );
}

/** Finds a replica's endpoints whose `wake_at` has come. */
export async function findAwake(em: EntityManager, holder: string, now: string, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select id from endpoint where lease_holder = ${holder} and wake_at <= ${now}::timestamptz
        order by wake_at limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
