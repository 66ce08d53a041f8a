import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@saleschannel/runtime';
import {
  createTestDatabase,
  eventually,
  failureOf,
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
  type Patience,
} from '../src/index.ts';

const PLACES = 3;
/** A client waits for an answer two seconds longer than the server does. */
const patience: Partial<Patience> = { statementMs: 2_000 };
const migrations = [{ file: '20260101000001-test.sql', text: 'create table entry (id text primary key);' }];
const one = sql`select 1 as one`;
const insert = (id: string) => sql`insert into entry values (${id})`;

let created: TestDatabase;
let proxy: Proxy;
let database: Database;
const opened: { stop(): Promise<void> }[] = [];

const open = async (url: string, options: Partial<Parameters<typeof openDatabase>[0]> = {}): Promise<Database> => {
  const one = await openDatabase({ url, poolMax: PLACES, entities: [], migrations, logger: silentLogger, ...options });
  opened.push(one);
  return one;
};

beforeEach(async () => {
  created = await createTestDatabase();
  proxy = await startProxy(created.url);
  database = await open(proxy.url, { patience });
  // With more patience: making a table may take long on a busy disk.
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

/** A transaction that has done one statement, and goes on when it is told to end. */
async function holdTransaction(
  of: Database,
  statement = one,
): Promise<{ readonly em: EntityManager; end(): Promise<void> }> {
  const [begun, told] = [Promise.withResolvers<EntityManager>(), Promise.withResolvers<void>()];
  const ended = of.transaction(async (em) => {
    await query(em, statement);
    begun.resolve(em);
    await told.promise;
    await query(em, one);
  });
  // Who holds it looks at its end later.
  ended.catch(begun.reject);
  return {
    em: await begun.promise,
    end: () => {
      told.resolve();
      return ended;
    },
  };
}

describe('a server that is gone without a word', () => {
  test('costs those who ask it an error in bounded time, and nobody after them', async () => {
    const held = await Promise.all(Array.from({ length: PLACES }, () => holdTransaction(database)));
    proxy.freeze();
    const asked = held.map(({ em }) => failureOf(query(em, one)));
    // No place is free, and nobody waits for one for ever.
    expect(await failureOf(query(database.em(), one))).toMatchObject({ code: 'unavailable' });
    for (const failure of asked) expect(await failure).toMatchObject({ code: 'unavailable' });
    for (const { end } of held) expect(await failureOf(end())).toMatchObject({ code: 'unavailable' });
    expect(await query(database.em(), one)).toEqual([{ one: 1 }]);
  });

  test('costs the probe one connection each time, so the pool is cleared also when nobody else asks', async () => {
    await Promise.all(Array.from({ length: PLACES }, () => query(database.em(), one)));
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
    await Promise.all(Array.from({ length: PLACES }, () => query(database.em(), find)));
    const owner = createConnection(created.url);
    await owner.connect();
    await owner.query('alter table entry alter column id type varchar(50)');
    await owner.end();
  });

  test('costs each connection one statement, which may be tried again', async () => {
    const failures: unknown[] = [];
    for (let count = 0; count < PLACES * 3; count++)
      await query(database.em(), find).catch((error: unknown) => failures.push(error));
    expect(failures.length).toBeLessThanOrEqual(PLACES);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'unavailable' });
    expect(await query(database.em(), find)).toEqual([{ id: 'a' }]);
  });

  test('costs a transaction nothing', async () => {
    for (let count = 0; count < PLACES * 2; count++)
      expect(await database.transaction((em) => query(em, find))).toEqual([{ id: 'a' }]);
  });
});

test('connections that break under transactions, more often than the pool has places, cost it none', async () => {
  for (let round = 0; round <= PLACES; round++) {
    const failed = database.transaction(async (em) => {
      await query(em, insert(`round ${round}`));
      proxy.cut();
      proxy.restore();
      await query(em, one);
    });
    expect(await failureOf(failed)).toMatchObject({ code: 'unavailable' });
    await works();
  }
  expect(await query(database.em(), sql`select id from entry`)).toEqual([]);
});

test('connections that break before a transaction begins cost the pool none', async () => {
  for (let round = 0; round <= PLACES; round++) {
    await works();
    proxy.cut();
    proxy.restore();
    // The pool does not know yet that its connection is gone.
    await database.transaction((em) => query(em, one)).catch(() => undefined);
  }
  await works();
});

test('a standby, or a database made read-only, is not usable, and its refusals are transient', async () => {
  const name = new URL(created.url).pathname.slice(1);
  const operator = createConnection(created.url);
  await operator.connect();
  await operator.query(`alter database ${name} set default_transaction_read_only = on`);
  // New sessions are what it counts for.
  proxy.cut();
  proxy.restore();
  await works();
  expect(await database.isUsable()).toBe(false);
  expect(await failureOf(query(database.em(), insert('refused')))).toMatchObject({ code: 'unavailable' });
  expect(await failureOf(database.transaction((em) => query(em, insert('refused'))))).toMatchObject({
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

test('no session outlives a client that is gone, of a pool or alone', async () => {
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
  const usual = await open(created.url);
  expect(await query(usual.em(), settings)).toEqual(expected);
  const alone = createConnection(created.url);
  await alone.connect();
  expect(await alone.run(settings)).toEqual(expected);
  await alone.end();
});

test('whoever stands still in a transaction loses its locks', async () => {
  // Longer than a busy machine takes from the first statement to the next one.
  const still = await open(created.url, { patience: { idleInTransactionMs: 3_000 } });
  const { em, end } = await holdTransaction(still, sql`lock table entry`);
  await query(database.em(), insert('after')).catch(() => undefined);
  await eventually(
    () =>
      query(database.em(), insert('later')).then(
        () => true,
        () => false,
      ),
    'the lock to be free',
  );
  expect(await failureOf(query(em, one))).toMatchObject({ code: 'unavailable' });
  expect(await failureOf(end())).toMatchObject({ code: 'unavailable' });
});

test('a session that is silent for longer than it may ends, and others get its lock', async () => {
  // Longer than a busy machine takes from connecting to the first statement.
  const silent = createConnection(created.url, { settings: ['idle_session_timeout=3000'] });
  await silent.connect();
  await silent.query('select pg_advisory_lock(1)');
  const free = (): Promise<boolean | undefined> =>
    queryFirst<{ free: boolean }>(database.em(), sql`select pg_try_advisory_lock(1) as free`).then((row) => row?.free);
  await eventually(free, 'the lock to be free');
  await silent.end();
});

test('a transaction may wait less for a lock than usual', async () => {
  const holder = await open(created.url);
  const { end } = await holdTransaction(holder, sql`lock table entry`);
  const patient = await open(created.url);
  const hurried = patient.transaction((inner) => query(inner, insert('hurried')), { lockTimeoutMs: 10 });
  expect(await failureOf(hurried)).toMatchObject({ code: 'unavailable', cause: { code: '55P03' } });
  await end();
});

describe('a database that cannot be reached yet', () => {
  test('is waited for by a start and by a migration', async () => {
    const late = await open(proxy.url, { patience, waitMs: 60_000 });
    const lines: string[] = [];
    const logger = { ...silentLogger, debug: () => undefined, warn: (line: string) => void lines.push(line) } as never;
    const migrating = await open(proxy.url, { patience, waitMs: 60_000, logger });
    proxy.cut();
    const started = Promise.all([late.start(), migrating.migrate()]);
    await eventually(() => Promise.resolve(lines.length > 1), 'the second attempt');
    expect(lines[0]).toMatch(/^the database cannot be reached: .*; trying again for \d+ s$/);
    proxy.restore();
    await started;
  });

  test('is waited for no longer than is set, and not by whoever stops meanwhile', async () => {
    proxy.cut();
    const hurried = await open(proxy.url, { patience, waitMs: 10 });
    expect((await failureOf(hurried.start())).message).toMatch(/ECONNRESET|terminated/);
    const stopped = await open(proxy.url, { patience, waitMs: 3_600_000 });
    const start = failureOf(stopped.start());
    await stopped.stop();
    expect((await start).message).not.toBe('');
  });

  test('is told apart from one that lacks migrations', async () => {
    const behind = await open(created.url, {
      waitMs: 3_600_000,
      migrations: [...migrations, { file: '20260101000002-more.sql', text: 'select 1;' }],
    });
    expect((await failureOf(behind.start())).message).toContain('lacks 1 migrations');
  });
});
