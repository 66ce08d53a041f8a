import { createConnection } from '@saleschannel/database';
import { createHealthProbe } from '@saleschannel/grpc';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

/** Smallest pools: one connection for calls, two for each other kind of work, one for the probe. */
export const smallestPools = { DATABASE_POOL_MAX: '3' };

/** Key of the advisory lock for which calls wait. */
const HELD = 4_711;
/** Concurrent calls: more than there are connections. */
const CALLS = 6;
/** More than two, because health reports a failed probe after two. */
const PROBES = 3;
const HEALTH_TIMEOUT_MS = 5_000;
/** Limit of the transaction that holds the lock, longer than the test. */
const HOLD_MS = 600_000;

export interface OwnConnectionsTest {
  /** Service with few connections, so that calls use all of theirs. */
  readonly service: TestService;
  /** A table with rows that the call reads or changes. */
  readonly table: string;
  /** The call. It may fail because it has a deadline. */
  call(): Promise<unknown>;
  /** Background work of the service; resolves when done. Undefined if it is rare. */
  work?(): Promise<unknown>;
}

/**
 * Proves that a service does its background work and answers its probe while calls hold all their connections.
 * Statements of calls on the table wait for a lock; the same statements of other work do not.
 */
export async function proveOwnConnections({ service, table, call, work }: OwnConnectionsTest): Promise<void> {
  const holder = createConnection(service.databaseUrl, { timeouts: { idleInTransactionMs: HOLD_MS } });
  await holder.connect();
  const health = createHealthProbe(service.address);
  const stopCalls = new AbortController();
  const calls: Promise<void>[] = [];
  try {
    await holdRowsForCalls(service.databaseUrl, table);
    await holder.query('select pg_advisory_lock($1)', [HELD]);
    for (let count = 0; count < CALLS; count++) calls.push(repeat(call, stopCalls.signal));
    await eventually(() => countHeld(service).then((waiting) => waiting > 0), 'calls that hold their connections');
    await work?.();
    for (let count = 0; count < PROBES; count++) await nextProbe(service);
    if (!(await health.isServing(HEALTH_TIMEOUT_MS))) throw new Error('The service reports that it does not serve.');
    if ((await countHeld(service)) === 0) throw new Error('Calls did not hold their connections to the end.');
  } finally {
    stopCalls.abort();
    // Also releases its lock.
    await holder.end();
    await Promise.all(calls);
    health.close();
  }
}

async function repeat(call: () => Promise<unknown>, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) await call().catch(() => undefined);
}

/** Adds a policy that identifies connections of calls by their name. */
async function holdRowsForCalls(databaseUrl: string, table: string): Promise<void> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query(`
      create function hold_calls() returns boolean language plpgsql as $$
      begin
        if current_setting('application_name') = 'primary' then
          perform pg_advisory_xact_lock_shared(${HELD});
        end if;
        return true;
      end $$;
      create policy hold_calls on ${table} using (hold_calls()) with check (hold_calls());
      alter table ${table} enable row level security`);
  } finally {
    await owner.end();
  }
}

async function countHeld(service: TestService): Promise<number> {
  const waiting = await service.sql(
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'primary' and wait_event = 'advisory'`,
  );
  return waiting.length;
}

/** Resolves after the next probe. */
async function nextProbe(service: TestService): Promise<void> {
  const last = await askedAt(service);
  await eventually(async () => (await askedAt(service)) !== last, 'the next probe');
}

async function askedAt(service: TestService): Promise<string | undefined> {
  const [probe] = await service.sql<{ at: string }>(
    `select query_start::text as at from pg_stat_activity
      where datname = current_database() and application_name = 'probe' and state = 'idle'`,
  );
  return probe?.at;
}

/** Resolves after the next run of the job that adds up list totals. */
export async function waitForTotals(service: TestService): Promise<void> {
  await service.sql(`insert into list_count_delta (list, key, delta) values ('test', 'test', 1)`);
  const open = 'select from list_count_delta where list = $1';
  await eventually(async () => (await service.sql(open, ['test'])).length === 0, 'the totals');
}
