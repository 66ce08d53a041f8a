import { beforeEach, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, testNamespace } from '@saleschannel/testing';
import { enqueue, Relay } from '../src/index.ts';
import { OUTBOX_CHANNEL } from '../src/outbox.ts';
import { stopAfterEach } from './support/fixture.ts';
import {
  createBroker,
  commit,
  consume,
  createTestStore,
  createReport,
  REPORTED,
  type TestStore,
} from './support/messaging.ts';

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

const published = (): Promise<boolean> => eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');

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
