import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, describe } from '@jest/globals';
import { query, sql, createConnection } from '@saleschannel/database';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, testNamespace } from '@saleschannel/testing';
import { enqueue, MAX_MESSAGE_BYTES, Relay } from '../src/index.ts';
import { deleteRows, readRows } from '../src/outbox-rows.ts';
import { OUTBOX_CHANNEL } from '../src/outbox.ts';
import {
  stopAfterEach,
  createBroker,
  commit,
  consume,
  createTestStore,
  createRecordingLogger,
  createReport,
  REPORTED,
  type TestStore,
} from './support/messaging.ts';

describe('the waking of a relay', () => {
  let store: TestStore;
  const track = stopAfterEach();

  beforeEach(async () => {
    store = await createTestStore();
    track({ stop: () => store.drop() });
  });

  /** Receives notifications of the outbox as another process would, and its own marks. */
  async function listen() {
    const client = createConnection(store.databaseUrl);
    await client.connect();
    track({ stop: () => client.end() });
    const heard: string[] = [];
    client.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await client.query(`listen ${OUTBOX_CHANNEL}`);
    return {
      /** Number of notifications before now. */
      async count(): Promise<number> {
        const mark = newId();
        await client.query(`select pg_notify('${OUTBOX_CHANNEL}', '${mark}')`);
        await eventually(() => Promise.resolve(heard.includes(mark)), 'the mark');
        return heard.slice(0, heard.indexOf(mark)).filter((payload) => payload === '').length;
      },
    };
  }

  /** @param databaseUrl a URL other than the store's makes it a relay of another process */
  async function startRelay(databaseUrl: string): Promise<Relay> {
    const namespace = testNamespace();
    track(await consume({ namespace }));
    const broker = createBroker(namespace);
    track(broker);
    await broker.start();
    const relay = new Relay({ databaseUrl, broker, service: 'test', logger: silentLogger });
    await relay.start();
    track(relay);
    await relay.waitUntilDrained();
    return relay;
  }

  const published = (): Promise<boolean> =>
    eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');

  test('a commit wakes the relay of its own process without a notification', async () => {
    await startRelay(store.databaseUrl);
    const listener = await listen();
    for (let count = 0; count < 5; count++) {
      await commit(store.database, REPORTED, [createReport()]);
      await published();
    }
    expect(await listener.count()).toBe(0);
  });

  test('a commit notifies the relay of another process after the transaction, not within it', async () => {
    await startRelay(`${store.databaseUrl}?application_name=another`);
    const listener = await listen();
    await commit(store.database, REPORTED, [createReport()]);
    await published();
    await eventually(async () => (await listener.count()) === 1, 'the notification');
  });

  test('a rolled back transaction sends no notification', async () => {
    const listener = await listen();
    const undone = store.database.transaction((em) => {
      enqueue(em, REPORTED, [createReport()]);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    expect(await listener.count()).toBe(0);
    expect(() => enqueue(store.database.em(), REPORTED, [createReport()])).toThrow('needs a transaction');
  });
});

describe('a message that is too large', () => {
  /** A broker that closes the channel of a message above 64 KiB, as RabbitMQ 4 does above 16 MiB. */

  const MAX_BROKER_BYTES = 64 * 1024;
  let folder: string;
  let rabbit: RunningRabbitMq;
  let store: TestStore;
  const track = stopAfterEach();

  const startNode = (): Promise<RunningRabbitMq> =>
    startRabbitMq({
      dataDirectory: join(folder, 'rabbitmq'),
      users: [{ name: 'all', password: 'all', configure: '.*', write: '.*', read: '.*' }],
      vhost: '/',
      log: () => undefined,
      removeWhenOrphaned: true,
    });

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    // The first start creates the folder for additional settings.
    await startNode().then((node) => node.stop());
    const settings = join(folder, 'rabbitmq', 'config', 'conf.d');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'size.conf'), `max_message_size = ${MAX_BROKER_BYTES}\n`);
    rabbit = await startNode();
  }, 120_000);
  afterAll(async () => {
    await rabbit.stop();
    removeFolder(folder);
  });
  beforeEach(async () => {
    store = await createTestStore();
    track({ stop: () => store.drop() });
  });

  /** Starts a consumer of outcomes, and a relay. */
  async function start() {
    const namespace = testNamespace();
    const { logger, lines } = createRecordingLogger();
    const listening = track(await consume({ namespace, url: rabbit.url('all') }));
    const broker = track(createBroker(namespace, rabbit.url('all')));
    const relay = new Relay({ databaseUrl: store.databaseUrl, broker, service: 'test', logger });
    await broker.start();
    await track(relay).start();
    return { heard: () => listening.heard.map(({ event }) => event.taskId), lines };
  }

  /** An entry of about this size. */
  const createEntry = (bytes: number) => ({ ...createReport(newId()), reason: 'x'.repeat(bytes) });
  const outboxEmpty = (): Promise<boolean> =>
    eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');
  const refusedRows = () =>
    query<{ type: string; body: string; reason: string }>(
      store.database.em(),
      sql`select type, body, reason from outbox_refused`,
    );

  test('an event that the broker refuses for good is set aside with the reason, and others are published', async () => {
    const [before, tooLarge, after] = [createEntry(10), createEntry(MAX_BROKER_BYTES + 1), createEntry(10)];
    await commit(store.database, REPORTED, [before, tooLarge, after]);
    const { heard, lines } = await start();
    await outboxEmpty();
    await eventually(
      () => Promise.resolve(heard().includes(before.taskId) && heard().includes(after.taskId)),
      'others',
    );
    const later = createEntry(10);
    await commit(store.database, REPORTED, [later]);
    await eventually(() => Promise.resolve(heard().includes(later.taskId)), 'a later event');
    const rows = await refusedRows();
    expect(rows).toEqual([
      { type: REPORTED, body: JSON.stringify({ entries: [tooLarge] }), reason: expect.stringContaining('406') },
    ]);
    expect(lines.some((line) => line.includes('refused an event for good'))).toBe(true);
  });

  test('only the oversized entry of an oversized message is set aside', async () => {
    const small = [createEntry(30_000), createEntry(30_000), createEntry(30_000)];
    const tooLarge = createEntry(MAX_BROKER_BYTES + 1);
    await store.database.transaction((em) => enqueue(em, REPORTED, [...small, tooLarge]));
    expect(await store.countOutbox()).toBe(1);
    const { heard } = await start();
    await outboxEmpty();
    await eventually(() => Promise.resolve(new Set(heard()).size === small.length), 'the others');
    expect((await refusedRows()).map(({ body }) => body)).toEqual([JSON.stringify({ entries: [tooLarge] })]);
  });

  test('messages are split by bytes and by entries', async () => {
    const third = Math.floor(MAX_MESSAGE_BYTES / 3);
    const entries = [
      ...Array.from({ length: 7 }, () => createEntry(third)),
      createEntry(2 * MAX_MESSAGE_BYTES),
      createEntry(10),
    ];
    await store.database.transaction((em) => enqueue(em, REPORTED, entries));
    const rows = await query<{ bytes: number; body: string }>(
      store.database.em(),
      sql`select octet_length(body) as bytes, body from outbox order by id`,
    );
    expect(rows.map(({ bytes }) => bytes <= MAX_MESSAGE_BYTES)).toEqual([true, true, true, true, false, true]);
    expect(rows.flatMap(({ body }) => (JSON.parse(body) as { entries: unknown[] }).entries)).toEqual(entries);
  });

  test('a round reads at most about one message of the maximum size', async () => {
    const half = createEntry(Math.floor(MAX_MESSAGE_BYTES / 2) - 1_000);
    await commit(store.database, REPORTED, [half, half, half, createEntry(2 * MAX_MESSAGE_BYTES), createEntry(1)]);
    const sizes: number[] = [];
    for (;;) {
      const rows = await query<{ id: string; ahead: number }>(store.database.em(), readRows(new Set(), [], '0'));
      if (rows.length === 0) break;
      sizes.push(rows.length);
      await query(store.database.em(), deleteRows(rows.map(({ id }) => id)));
    }
    expect(sizes).toEqual([2, 1, 1, 1]);
  });
});
