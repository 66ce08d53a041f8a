import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@saleschannel/runtime';
import {
  createTestDatabase,
  eventually,
  catchFailure,
  startProxy,
  type Proxy,
  type TestDatabase,
} from '@saleschannel/testing';
import {
  createConnection,
  openDatabase,
  query,
  queryFirst,
  sql,
  type Database,
  type EntityManager,
  type Timeouts,
} from '../src/index.ts';

const POOL_SIZE = 3;
/** The client's own timeout is two seconds longer than that of the server. */
const timeouts: Partial<Timeouts> = { statementMs: 2_000 };
const migrations = [{ file: '20260101000001-test.sql', text: 'create table entry (id text primary key);' }];
const one = sql`select 1 as one`;
const insert = (id: string) => sql`insert into entry values (${id})`;

let created: TestDatabase;
let proxy: Proxy;
let database: Database;
const opened: { stop(): Promise<void> }[] = [];

const open = async (url: string, options: Partial<Parameters<typeof openDatabase>[0]> = {}): Promise<Database> => {
  const one = await openDatabase({
    url,
    poolMax: POOL_SIZE,
    migrations,
    logger: silentLogger,
    ...options,
  });
  opened.push(one);
  return one;
};

beforeEach(async () => {
  created = await createTestDatabase();
  proxy = await startProxy(created.url);
  database = await open(proxy.url, { timeouts });
  // With default timeouts: creating a table may take long on a busy disk.
  await (await open(created.url)).migrate();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
  await proxy.stop();
  await created.drop();
});

const works = (): Promise<boolean> =>
  eventually(
    () =>
      query(database.em(), one).then(
        (rows) => rows.length === 1,
        () => false,
      ),
    'an answer',
  );

/** Opens a transaction that runs one statement, and another one when `end` is called. */
async function openTransaction(
  owner: Database,
  statement = one,
): Promise<{ readonly em: EntityManager; end(): Promise<void> }> {
  const [begun, ending] = [Promise.withResolvers<EntityManager>(), Promise.withResolvers<void>()];
  const ended = owner.transaction(async (em) => {
    await query(em, statement);
    begun.resolve(em);
    await ending.promise;
    await query(em, one);
  });
  // The caller awaits its end later.
  ended.catch(begun.reject);
  return {
    em: await begun.promise,
    end: () => {
      ending.resolve();
      return ended;
    },
  };
}

describe('a silent server', () => {
  test('fails pending queries in bounded time, and no later ones', async () => {
    const held = await Promise.all(Array.from({ length: POOL_SIZE }, () => openTransaction(database)));
    proxy.freeze();
    const pending = held.map(({ em }) => catchFailure(query(em, one)));
    // No connection is free, and waiting for one is bounded.
    expect(await catchFailure(query(database.em(), one))).toMatchObject({ code: 'unavailable' });
    for (const failure of pending) expect(await failure).toMatchObject({ code: 'unavailable' });
    for (const { end } of held) expect(await catchFailure(end())).toMatchObject({ code: 'unavailable' });
    expect(await query(database.em(), one)).toEqual([{ one: 1 }]);
  });

  test('is detected by the probe, which clears the pool even without other queries', async () => {
    await Promise.all(Array.from({ length: POOL_SIZE }, () => query(database.em(), one)));
    expect(await database.isUsable()).toBe(true);
    proxy.freeze();
    expect(await database.isUsable()).toBe(false);
    await eventually(() => database.isUsable(), 'a usable database');
  });
});

describe('a migration that changes the type of a column while the service runs', () => {
  const find = sql`select id from entry where id = ${'a'}`;

  beforeEach(async () => {
    await database.transaction((em) => query(em, insert('a')));
    await Promise.all(Array.from({ length: POOL_SIZE }, () => query(database.em(), find)));
    const owner = createConnection(created.url);
    await owner.connect();
    await owner.query('alter table entry alter column id type varchar(50)');
    await owner.end();
  });

  test('fails one statement per connection, which may be retried', async () => {
    const failures: unknown[] = [];
    for (let count = 0; count < POOL_SIZE * 3; count++)
      await query(database.em(), find).catch((error: unknown) => failures.push(error));
    expect(failures.length).toBeLessThanOrEqual(POOL_SIZE);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'unavailable' });
    expect(await query(database.em(), find)).toEqual([{ id: 'a' }]);
  });

  test('fails no transaction', async () => {
    for (let count = 0; count < POOL_SIZE * 2; count++)
      expect(await database.transaction((em) => query(em, find))).toEqual([{ id: 'a' }]);
  });
});

test('connections lost in transactions do not use up the pool', async () => {
  for (let round = 0; round <= POOL_SIZE; round++) {
    const failed = database.transaction(async (em) => {
      await query(em, insert(`round ${round}`));
      proxy.cut();
      proxy.restore();
      await query(em, one);
    });
    expect(await catchFailure(failed)).toMatchObject({ code: 'unavailable' });
    await works();
  }
  expect(await query(database.em(), sql`select id from entry`)).toEqual([]);
});

test('connections lost before a transaction do not use up the pool', async () => {
  for (let round = 0; round <= POOL_SIZE; round++) {
    await works();
    proxy.cut();
    proxy.restore();
    // The pool does not know yet that its connection is lost.
    await database.transaction((em) => query(em, one)).catch(() => undefined);
  }
  await works();
});

test('a standby or read-only database is not usable, and its errors are transient', async () => {
  const name = new URL(created.url).pathname.slice(1);
  const operator = createConnection(created.url);
  await operator.connect();
  await operator.query(`alter database ${name} set default_transaction_read_only = on`);
  // The setting applies to new sessions.
  proxy.cut();
  proxy.restore();
  await works();
  expect(await database.isUsable()).toBe(false);
  expect(await catchFailure(query(database.em(), insert('refused')))).toMatchObject({ code: 'unavailable' });
  expect(await catchFailure(database.transaction((em) => query(em, insert('refused'))))).toMatchObject({
    code: 'unavailable',
  });
  await operator.query('set default_transaction_read_only = off');
  await operator.query(`alter database ${name} reset default_transaction_read_only`);
  await operator.end();
  proxy.cut();
  proxy.restore();
  await eventually(() => database.isUsable(), 'a usable database');
});

const sessionSettings = [
  'tcp_keepalives_idle',
  'tcp_keepalives_count',
  'tcp_user_timeout',
  'client_connection_check_interval',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'statement_timeout',
];

test('sessions of disconnected clients end, pooled or not', async () => {
  const settings = sql`
    select name, setting from pg_settings where name = any(${sessionSettings}::text[]) order by name`;
  const expected = [
    { name: 'client_connection_check_interval', setting: '5000' },
    { name: 'idle_in_transaction_session_timeout', setting: '15000' },
    { name: 'lock_timeout', setting: '10000' },
    { name: 'statement_timeout', setting: '30000' },
    { name: 'tcp_keepalives_count', setting: '3' },
    { name: 'tcp_keepalives_idle', setting: '6' },
    { name: 'tcp_user_timeout', setting: '15000' },
  ];
  const pooled = await open(created.url);
  expect(await query(pooled.em(), settings)).toEqual(expected);
  const alone = createConnection(created.url);
  await alone.connect();
  expect(await alone.run(settings)).toEqual(expected);
  await alone.end();
});

test('an idle transaction loses its locks', async () => {
  // Longer than the time between two statements on a slow machine.
  const idle = await open(created.url, { timeouts: { idleInTransactionMs: 3_000 } });
  const { em, end } = await openTransaction(idle, sql`lock table entry`);
  await query(database.em(), insert('after')).catch(() => undefined);
  await eventually(
    () =>
      query(database.em(), insert('later')).then(
        () => true,
        () => false,
      ),
    'the lock to be free',
  );
  expect(await catchFailure(query(em, one))).toMatchObject({ code: 'unavailable' });
  expect(await catchFailure(end())).toMatchObject({ code: 'unavailable' });
});

test('a session idle for too long ends and releases its lock', async () => {
  // Longer than the time from connecting to the first statement on a slow machine.
  const silent = createConnection(created.url, { settings: ['idle_session_timeout=3000'] });
  await silent.connect();
  await silent.query('select pg_advisory_lock(1)');
  const free = (): Promise<boolean | undefined> =>
    queryFirst<{ free: boolean }>(database.em(), sql`select pg_try_advisory_lock(1) as free`).then((row) => row?.free);
  await eventually(free, 'the lock to be free');
  await silent.end();
});

test('a transaction may have a shorter lock timeout', async () => {
  const holder = await open(created.url);
  const { end } = await openTransaction(holder, sql`lock table entry`);
  const patient = await open(created.url);
  const hurried = patient.transaction((inner) => query(inner, insert('hurried')), { lockTimeoutMs: 10 });
  expect(await catchFailure(hurried)).toMatchObject({ code: 'unavailable', cause: { code: '55P03' } });
  await end();
});

describe('a database that is not reachable yet', () => {
  test('is awaited by start and migration', async () => {
    const late = await open(proxy.url, { timeouts, waitMs: 60_000 });
    const lines: string[] = [];
    const logger = { ...silentLogger, debug: () => undefined, warn: (line: string) => void lines.push(line) } as never;
    const migrating = await open(proxy.url, { timeouts, waitMs: 60_000, logger });
    proxy.cut();
    const started = Promise.all([late.start(), migrating.migrate()]);
    await eventually(() => Promise.resolve(lines.length > 1), 'the second attempt');
    expect(lines[0]).toMatch(/^the database is unreachable: .*; retrying for \d+ s$/);
    proxy.restore();
    await started;
  });

  test('is awaited up to the time limit, or until the service stops', async () => {
    proxy.cut();
    const hurried = await open(proxy.url, { timeouts, waitMs: 10 });
    expect((await catchFailure(hurried.start())).message).toMatch(/ECONNRESET|terminated/);
    const stopped = await open(proxy.url, { timeouts, waitMs: 3_600_000 });
    const start = catchFailure(stopped.start());
    await stopped.stop();
    expect((await start).message).not.toBe('');
  });

  test('is distinguished from one that lacks migrations', async () => {
    const behind = await open(created.url, {
      waitMs: 3_600_000,
      migrations: [...migrations, { file: '20260101000002-more.sql', text: 'select 1;' }],
    });
    expect((await catchFailure(behind.start())).message).toContain('lacks 1 migrations');
  });
});
