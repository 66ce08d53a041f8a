import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { createHealthProbe, LIVENESS } from '@saleschannel/grpc';
import { withDeadLetters } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { eventually, catchFailure, testBrokerUrl } from '@saleschannel/testing';
import { idsOf, startEvents, statusChange, type Events } from './support/events.ts';

const PROBE_TIMEOUT_MS = 10_000;

let log: Events;
beforeAll(async () => {
  log = await startEvents();
});
afterAll(() => log.stop());

/** Runs work in another session on the service's database, as a superuser. */
async function asOperator<T>(work: (operator: ReturnType<typeof createConnection>) => Promise<T>): Promise<T> {
  const operator = createConnection(log.service.databaseUrl, { timeouts: { idleInTransactionMs: 60_000 } });
  await operator.connect();
  return work(operator).finally(() => operator.end());
}

const deadLetters = () => withDeadLetters(testBrokerUrl(), log.namespace, (letters) => letters.list('events.log', 10));

test("while a session locks a channel's head, other channels are recorded, and this one afterwards", async () => {
  const [held, other] = [newId(), newId()];
  const before = statusChange(held);
  await log.publish([before]);
  await log.filled(held, 1);
  const delayed = [statusChange(held), statusChange(held), statusChange(held)];
  const free = [statusChange(other), statusChange(other)];
  await asOperator(async (operator) => {
    await operator.query('begin');
    await operator.query('select 1 from log_head where sales_channel_id = $1 for update', [held]);
    for (const [index, change] of delayed.entries()) await log.publish([change, ...free.slice(index, index + 1)]);
    expect(idsOf(await log.filled(other, free.length))).toEqual(idsOfChanges(free));
    expect(await deadLetters()).toEqual([]);
    await operator.query('rollback');
  });
  expect(idsOf(await log.filled(held, 1 + delayed.length))).toEqual(idsOfChanges([before, ...delayed]));
  expect(await deadLetters()).toEqual([]);
});

const idsOfChanges = (changes: readonly { eventId: string }[]): string[] => changes.map(({ eventId }) => eventId);

test('a read whose statement is cancelled is unavailable, with a time to retry', async () => {
  await asOperator(async (operator) => {
    await operator.query('begin');
    await operator.query('lock table event in access exclusive mode');
    let failure: unknown;
    void catchFailure(log.list(newId())).then((error) => (failure = error));
    // The service itself retries reads a few times.
    await eventually(async () => {
      await log.service.sql(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return failure !== undefined;
    }, 'the end of the read');
    expect(failure).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    await operator.query('rollback');
  });
});

test('on a read-only database the service is not ready but alive, and records all events afterwards', async () => {
  const readiness = createHealthProbe(log.service.address);
  const liveness = createHealthProbe(log.service.address, { checkName: LIVENESS });
  const isServing = (expected: boolean): Promise<boolean> =>
    eventually(async () => (await readiness.isServing(PROBE_TIMEOUT_MS)) === expected, `serving: ${expected}`);
  const channel = newId();
  const changes = Array.from({ length: 5 }, () => statusChange(channel));
  await isServing(true);
  await asOperator(async (operator) => {
    const name = new URL(log.service.databaseUrl).pathname.slice(1);
    // Effective in new sessions only.
    const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await operator.query(`alter database ${name} set default_transaction_read_only = on`);
    await operator.query(endOthers);
    await log.publish(changes);
    await isServing(false);
    expect(await liveness.isServing(PROBE_TIMEOUT_MS)).toBe(true);
    expect(await deadLetters()).toEqual([]);
    await operator.query('set default_transaction_read_only = off');
    await operator.query(`alter database ${name} reset default_transaction_read_only`);
    await operator.query(endOthers);
  });
  await isServing(true);
  expect(idsOf(await log.filled(channel, changes.length))).toEqual(idsOfChanges(changes));
  expect(await deadLetters()).toEqual([]);
  readiness.close();
  liveness.close();
});
