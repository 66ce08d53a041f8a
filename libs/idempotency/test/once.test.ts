import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Sealer } from '@saleschannel/auth';
import { query, sql, send, type Database } from '@saleschannel/database';
import type { Call } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { createTestDatabase, openTestDatabase } from '@saleschannel/testing';
import { array, assert, asyncProperty, boolean, constantFrom, option, record } from 'fast-check';
import { answerOnce, recordOnce } from '../src/once.ts';
import { deleteExpiredKeys } from '../src/records.ts';

const text = `${readFileSync(new URL('../src/idempotency.sql', import.meta.url), 'utf8')}
  create table made (id text primary key);`;

/** A database in which requests create rows. */
async function startLedger() {
  const { url, drop } = await createTestDatabase();
  const schema = { migrations: [{ file: '20260101000000-idempotency.sql', text }] };
  const database: Database = await openTestDatabase({ url, poolMax: 10, ...schema });
  await database.migrate();
  return {
    database,
    make: (em: Parameters<typeof send>[0], id: string) => send(em, sql`insert into made (id) values (${id})`),
    made: async () =>
      (await query<{ id: string }>(database.em(), sql`select id from made order by id`)).map(({ id }) => id),
    keys: () => query<{ scope: string }>(database.em(), sql`select scope from idempotency_key`),
    async stop() {
      await database.stop();
      await drop();
    },
  };
}

const createCall = (userId: string, idempotencyKey: string | undefined, markReplayed = () => {}): Call => ({
  caller: 'gateway',
  requestId: undefined,
  clientAddress: undefined,
  operator: undefined,
  principal: { kind: 'user', userId, salesChannelId: 'c1', roles: [], accountHolderId: undefined },
  principalToken: undefined,
  deadline: Date.now() + 60_000,
  signal: new AbortController().signal,
  idempotencyKey,
  markReplayed,
});

let ledger: Awaited<ReturnType<typeof startLedger>>;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.stop());

const DELETED = 'webhooks.DeleteEndpoint';
const toAnswer = (id: string) => ({
  id,
  url: 'https://a.example',
  ordered: false,
  status: 'ENABLED',
  createdAt: 'now',
});

interface TestRequest {
  readonly user: string;
  readonly key: string | undefined;
  readonly content: string;
  readonly isRefused?: boolean;
  readonly sealer?: Sealer;
}

/** Creates a row once per key, or throws after creating it. Returns the row's id, and whether it was a replay. */
async function sendRequest({
  user,
  key,
  content,
  isRefused = false,
  sealer,
}: TestRequest): Promise<{ id: string; replayed: boolean }> {
  let replayed = false;
  const call = createCall(user, key, () => (replayed = true));
  const answer = await answerOnce(
    DELETED,
    { call, database: ledger.database, request: { content }, ...(sealer && { sealer }) },
    (database) =>
      database.transaction((em) => {
        const id = newId();
        ledger.make(em, id);
        if (isRefused) throw new Error('refused');
        return id;
      }),
    toAnswer,
  );
  return { id: String(answer.id), replayed };
}

const readOutcome = (request: TestRequest) =>
  sendRequest(request).catch((error: { code?: string; message: string }) => error.code ?? error.message);

test('any sequence of requests makes one row per key and user', async () => {
  const some = record({
    user: constantFrom('u1', 'u2'),
    key: option(constantFrom('k1', 'k2'), { nil: undefined }),
    content: constantFrom('a', 'b'),
    isRefused: boolean(),
  });
  await assert(
    asyncProperty(array(some, { maxLength: 12 }), async (requests) => {
      const run = newId();
      const expected = new Map<string, { content: string; id: string }>();
      const before = (await ledger.made()).length;
      let made = 0;
      for (const request of requests) {
        const id = `${request.user} ${request.key}`;
        const known = request.key === undefined ? undefined : expected.get(id);
        const outcome = await readOutcome({ ...request, user: `${request.user}-${run}` });
        if (known) {
          const again = known.content === request.content;
          expect(outcome).toEqual(again ? { id: known.id, replayed: true } : 'idempotency-key-reused');
        } else if (request.isRefused) expect(outcome).toBe('refused');
        else {
          expect(outcome).toMatchObject({ replayed: false });
          made += 1;
          expected.set(id, { content: request.content, id: (outcome as { id: string }).id });
        }
      }
      expect((await ledger.made()).length).toBe(before + made);
    }),
    { numRuns: 25 },
  );
});

test('one of several concurrent requests creates the row, and another one if that is refused', async () => {
  const before = (await ledger.made()).length;
  const request = { user: newId(), key: 'k', content: 'a' };
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) => readOutcome({ ...request, isRefused: index < 3 })),
  );
  const answers = outcomes.filter((outcome) => outcome !== 'refused') as { id: string; replayed: boolean }[];
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect((await ledger.made()).length).toBe(before + 1);
});

const key = (fill: number) => new Uint8Array(32).fill(fill);

test('a sealed answer opens under a previous key, and fails without it', async () => {
  const request = { user: newId(), key: 'k', content: 'a' };
  const first = await sendRequest({ ...request, sealer: new Sealer([key(1)]) });
  const rotated = await sendRequest({ ...request, sealer: new Sealer([key(2), key(1)]) });
  expect(rotated).toEqual({ id: first.id, replayed: true });
  await expect(sendRequest({ ...request, sealer: new Sealer([key(2)]) })).rejects.toThrow(
    'a key that no longer exists',
  );
  const rows = await query<{ answer: Buffer }>(
    ledger.database.em(),
    sql`select answer from idempotency_key where scope = ${`user/${request.user}`}`,
  );
  expect(rows.map(({ answer }) => answer.includes(Buffer.from(first.id)))).toEqual([false]);
});

test('expired keys are deleted, and others stay', async () => {
  const [old, young] = [newId(), newId()];
  await Promise.all([old, young].map((user) => sendRequest({ user, key: 'k', content: 'a' })));
  const em = ledger.database.em();
  await query(em, sql`update idempotency_key set kept_until = now() where scope = ${`user/${old}`}`);
  await query(
    em,
    sql`update idempotency_key set kept_until = kept_until - interval '24 hours'
                      where scope = ${`user/${young}`}`,
  );
  await deleteExpiredKeys(ledger.database);
  const scopes = (await ledger.keys()).map(({ scope }) => scope);
  expect([scopes.includes(`user/${old}`), scopes.includes(`user/${young}`)]).toEqual([false, true]);
});

test('an operation that would commit without its key fails', async () => {
  const keyed = (key: string) => ({ call: createCall(newId(), key), database: ledger.database, request: {} });
  const twice = answerOnce(
    DELETED,
    keyed('twice'),
    async (database) => {
      await database.transaction(() => 'one');
      return database.transaction(() => 'two');
    },
    toAnswer,
  );
  await expect(twice).rejects.toThrow('has two transactions');
  const never = answerOnce(DELETED, keyed('never'), () => Promise.resolve('id'), toAnswer);
  await expect(never).rejects.toThrow('must return the result of its transaction');
});

test('a key is kept as long as its record, and a repeat gets the current record', async () => {
  const scope = `channel/${newId()}`;
  let loads = 0;
  const make = (content: string) =>
    recordOnce(
      DELETED,
      { database: ledger.database, scope, key: 'k', request: { content } },
      (database) =>
        database.transaction((em) => {
          const id = newId();
          ledger.make(em, id);
          return { id, state: 'new' };
        }),
      { toId: ({ id }) => id, load: (_em, id) => ({ id, state: `loaded ${++loads}` }) },
    );
  const all = await Promise.all(Array.from({ length: 5 }, () => make('a')));
  const { made } = all.find(({ replayed }) => !replayed) ?? {};
  expect(new Set(all.map(({ made: { id } }) => id))).toEqual(new Set([made?.id]));
  expect([made?.state, loads]).toEqual(['new', 4]);
  expect(await make('a')).toEqual({ made: { id: made?.id, state: 'loaded 5' }, replayed: true });
  await expect(make('b')).rejects.toMatchObject({ code: 'idempotency-key-reused' });
  await deleteExpiredKeys(ledger.database);
  const expected = await query(
    ledger.database.em(),
    sql`select kept_until from idempotency_key where scope = ${scope}`,
  );
  expect(expected).toEqual([{ kept_until: null }]);
});
