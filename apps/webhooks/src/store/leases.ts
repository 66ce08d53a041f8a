import { query, queryFirst, send, sql, isoTimestamp, type EntityManager, type Sql } from '@saleschannel/database';

/** An endpoint that a replica works, until another one has a lease with a higher number. */
export interface Lease {
  readonly endpointId: string;
  readonly salesChannelId: string;
  readonly holder: string;
  readonly number: string;
}

/** What a replica knows of an endpoint when it begins to work it. */
export interface Claimed extends Lease {
  readonly positionAt: string | null;
  readonly isFailing: boolean;
}

/** Leases begin and end by the clock of the database, which all replicas share. */
const leaseEnd = (leaseMs: number): Sql => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1_000})`;

export async function registerWorker(em: EntityManager, id: string, leaseMs: number): Promise<void> {
  await query(em, sql`insert into worker (id, until) values (${id}, ${leaseEnd(leaseMs)})`);
}

/** Returns false when others have taken it for dead. */
export async function renewWorker(em: EntityManager, id: string, leaseMs: number): Promise<boolean> {
  const renewed = await queryFirst(
    em,
    sql`update worker set until = ${leaseEnd(leaseMs)} where id = ${id} returning id`,
  );
  return renewed !== undefined;
}

/** Frees the endpoints of other replicas whose time is over. */
export async function buryWorkers(em: EntityManager, own: string): Promise<void> {
  const dead = await query<{ id: string }>(
    em,
    sql`delete from worker where until <= clock_timestamp() and id <> ${own} returning id`,
  );
  if (dead.length === 0) return;
  const ids = dead.map(({ id }) => id);
  send(em, sql`update endpoint set lease_holder = null where lease_holder = any(${ids}::text[])`);
}

/** Ends a replica and frees what it works. */
export async function endWorker(em: EntityManager, id: string): Promise<void> {
  await query(em, sql`delete from worker where id = ${id}`);
  send(em, sql`update endpoint set lease_holder = null where lease_holder = ${id}`);
}

interface WorkCount {
  readonly workers: number;
  readonly endpoints: number;
  /** False when others have taken this replica for dead. */
  readonly isKnown: boolean;
  /** Whether the time of another replica is over. */
  readonly hasDead: boolean;
  /** Whether an endpoint can be claimed. */
  readonly hasFree: boolean;
}

const isClaimable = sql`lease_holder is null and status <> 'DELETED' and (status = 'ENABLED' or wake_at is not null)`;

/** How many replicas there are, and how many endpoints they have to work together: those that are claimed. */
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
  if (!found) throw new Error('a count has no row');
  return found;
}

/**
 * Takes some endpoints that nobody works: those that are enabled, and those at which something was asked for. Only a
 * replica that has its row does: what others hold is freed together with their rows.
 */
export const claim = (em: EntityManager, holder: string, atMost: number): Promise<Claimed[]> =>
  query(
    em,
    sql`with own as materialized (select id from worker where id = ${holder} for key share)
        update endpoint set lease_holder = ${holder}, lease_number = lease_number + 1
        where exists (select from own) and id = any (array(
          select id from endpoint
          where ${isClaimable}
          order by id limit ${atMost} for no key update skip locked
        ))
        returning id as "endpointId", sales_channel_id as "salesChannelId", lease_holder as holder,
          lease_number::text as number, ${isoTimestamp('position_at')} as "positionAt",
          failing_since is not null as "isFailing"`,
  );

/** Leaves some endpoints to others. */
export async function release(em: EntityManager, holder: string, endpointIds: readonly string[]): Promise<void> {
  await query(
    em,
    sql`update endpoint set lease_holder = null where id = any(${endpointIds}::text[]) and lease_holder = ${holder}`,
  );
}

/** Frees what a replica holds without knowing of it: the answer to its claim was lost. */
export async function releaseOthers(em: EntityManager, holder: string, known: readonly string[]): Promise<void> {
  await query(
    em,
    sql`update endpoint set lease_holder = null where lease_holder = ${holder} and id <> all(${known}::text[])`,
  );
}

/** The endpoints of a replica that are to be looked at. */
export async function findAwake(em: EntityManager, holder: string, now: string, atMost: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select id from endpoint where lease_holder = ${holder} and wake_at <= ${now}::timestamptz
        order by wake_at limit ${atMost}`,
  );
  return rows.map(({ id }) => id);
}
