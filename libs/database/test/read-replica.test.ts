import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { invalidRequest } from '@saleschannel/errors';
import { EnvironmentError, readEnvironment, silentLogger } from '@saleschannel/runtime';
import {
  createTestDatabase,
  eventually,
  execute,
  catchFailure,
  useReplicatedServer,
  type ReplicatedServer,
  type Standby,
  type TestDatabase,
} from '@saleschannel/testing';
import {
  databaseEnvironment,
  openDatabase,
  openListSource,
  query,
  queryFirst,
  readReplicaEnvironment,
  sql,
  type Database,
  type EntityManager,
  type ListSource,
} from '../src/index.ts';

/** Lists are read from an up-to-date standby, otherwise from the primary, without errors for readers. */

const schema = {
  migrations: [{ file: '20260101000001-test.sql', text: 'create table entry (id int);' }],
};

interface Page {
  readonly isStandby: boolean;
  readonly entries: number;
}

let server: ReplicatedServer;
let standby: Standby;
beforeAll(async () => {
  server = await useReplicatedServer();
  ({ standby } = server);
});
afterAll(() => server.stop());

let created: TestDatabase;
let primary: Database;
const opened: { stop(): Promise<void> }[] = [];
let lists: ListSource;

const open = async (address: string | undefined): Promise<ListSource> => {
  const variables = { DATABASE_URL: created.url, DATABASE_READ_ADDRESS: address };
  const values = readEnvironment({ ...databaseEnvironment, ...readReplicaEnvironment }, variables);
  const source = await openListSource(values, schema, primary, silentLogger);
  opened.push(source);
  await source.start();
  return source;
};

beforeEach(async () => {
  created = await createTestDatabase();
  primary = await openDatabase({ url: created.url, poolMax: 3, ...schema, logger: silentLogger });
  opened.push(primary);
  await primary.migrate();
  await standby.waitUntilCaughtUp();
  lists = await open(standby.address);
});
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop();
  await created.drop();
});

const page = sql`select pg_is_in_recovery() as "isStandby", count(*)::int as entries from entry`;
const readPage = async (em: EntityManager): Promise<Page> => (await queryFirst<Page>(em, page)) as Page;
const read = (source = lists): Promise<Page> => source.read(readPage);
const add = (): Promise<unknown> => primary.transaction((em) => query(em, sql`insert into entry values (1)`));
const waitForStandby = (): Promise<boolean> =>
  eventually(async () => (await read()).isStandby, 'a page of the standby');

/** Adds and reads in turn, with concurrent readers. Every page shows all rows added before its request. */
async function addAndRead(turns: number): Promise<Page[]> {
  const { entries: before } = await primary.transaction(readPage);
  const pages: Page[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    await add();
    const found = await Promise.all(Array.from({ length: 5 }, () => read()));
    for (const each of found) expect(each.entries).toBe(before + turn);
    pages.push(...found);
  }
  return pages;
}

test('pages come from the standby, and none is older than its request', async () => {
  await waitForStandby();
  const pages = await addAndRead(100);
  expect(pages.filter(({ isStandby }) => isStandby).length).toBeGreaterThan(0);
});

test('pages come from the primary without an address, or on request', async () => {
  expect(await read(await open(undefined))).toMatchObject({ isStandby: false });
  expect(await lists.readPrimary(readPage)).toMatchObject({ isStandby: false });
});

test('a stale standby is skipped until it catches up', async () => {
  await waitForStandby();
  await standby.pauseReplay();
  try {
    for (const { isStandby } of await addAndRead(5)) expect(isStandby).toBe(false);
  } finally {
    await standby.resumeReplay();
  }
  await waitForStandby();
});

test('a standby is skipped while it is down, without errors', async () => {
  await waitForStandby();
  const reading = Array.from({ length: 10 }, () => read());
  await standby.kill();
  await Promise.all(reading);
  for (const { isStandby } of await addAndRead(5)) expect(isStandby).toBe(false);
  // A process can start meanwhile.
  expect(await read(await open(standby.address))).toMatchObject({ isStandby: false, entries: 5 });
  await standby.start();
  await waitForStandby();
});

test('a stalled standby delays reads only briefly', async () => {
  await waitForStandby();
  standby.freeze();
  try {
    for (const { isStandby } of await addAndRead(5)) expect(isStandby).toBe(false);
  } finally {
    standby.thaw();
  }
  await waitForStandby();
  expect((await addAndRead(1)).length).toBe(5);
});

describe('a page is read again from the primary', () => {
  /** Runs the work on the standby, then reads the page. Elsewhere only reads the page. */
  const onStandby = (work: (em: EntityManager) => Promise<unknown>) => async (em: EntityManager) => {
    const found = await readPage(em);
    if (found.isStandby) await work(em);
    return found;
  };

  test('when the standby refuses it', async () => {
    await waitForStandby();
    const refused = onStandby((em) => query(em, sql`create table no_standby_makes (id int)`));
    expect(await lists.read(refused)).toMatchObject({ isStandby: false });
    await waitForStandby();
  });

  test('when the standby stops answering midway', async () => {
    await waitForStandby();
    const forEver = onStandby((em) => query(em, sql`select pg_sleep(60)`));
    expect(await lists.read(forEver)).toMatchObject({ isStandby: false });
    await waitForStandby();
  });

  test('but not for an invalid request', async () => {
    await waitForStandby();
    let times = 0;
    const wrong = lists.read(() => {
      times += 1;
      return Promise.reject(invalidRequest('The cursor is not valid.'));
    });
    expect(await catchFailure(wrong)).toMatchObject({ code: 'invalid-request' });
    expect(times).toBe(1);
    expect(await read()).toMatchObject({ isStandby: true });
  });
});

test('a statement that fails everywhere fails as on the primary', async () => {
  await waitForStandby();
  const failure = await catchFailure(lists.read((em) => query(em, sql`select 1 / 0 as none`)));
  expect(JSON.stringify([failure.message, String(failure.cause)])).toContain('division by zero');
});

test('an unreachable address, or a primary, is never used as a standby', async () => {
  const own = new URL(created.url).host;
  const itself = await open(own);
  for (let turn = 0; turn < 3; turn++) expect(await read(itself)).toMatchObject({ isStandby: false });
  const nobody = await open('127.0.0.1:1');
  expect(await read(nobody)).toMatchObject({ isStandby: false });
});

test('a broken primary fails lists with or without its standby', async () => {
  await waitForStandby();
  await execute(created.url, 'alter table entry rename to entries');
  expect(await catchFailure(read())).toMatchObject({ code: 'unavailable' });
  await execute(created.url, 'alter table entries rename to entry');
  await waitForStandby();
});

test.each(['standby', 'db-1.example.org:5433', '10.0.0.7:5432', '[fd00::1]:5432'])('the address may be %s', (text) => {
  const values = readEnvironment(readReplicaEnvironment, { DATABASE_READ_ADDRESS: text });
  expect(values.DATABASE_READ_ADDRESS).toBe(text);
});

test.each(['postgres://standby/db', 'user@standby', 'standby:port', 'standby/db', 'a b', ':5432', 'one,two'])(
  'the address may not be %s',
  (text) => {
    expect(() => readEnvironment(readReplicaEnvironment, { DATABASE_READ_ADDRESS: text })).toThrow(EnvironmentError);
  },
);
