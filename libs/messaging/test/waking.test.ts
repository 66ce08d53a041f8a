import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, testNamespace } from '@saleschannel/testing';
import { enqueue, Relay } from '../src/index.ts';
import { OUTBOX_CHANNEL } from '../src/waking.ts';
import { brokerOf, commit, consume, createStage, reported, REPORTED, type Stage } from './support/stage.ts';

let stage: Stage;
const parts: { stop(): Promise<unknown> }[] = [];

beforeEach(async () => {
  stage = await createStage();
});
afterEach(async () => {
  for (const part of parts.splice(0).reverse()) await part.stop();
  await stage.drop();
});

/** Hears the notifications of the outbox as another process would, and marks of its own. */
async function listen() {
  const client = createConnection(stage.databaseUrl);
  await client.connect();
  parts.push({ stop: () => client.end() });
  const heard: string[] = [];
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.query(`listen ${OUTBOX_CHANNEL}`);
  return {
    /** How many notifications came before now. */
    async count(): Promise<number> {
      const mark = newId();
      await client.query(`select pg_notify('${OUTBOX_CHANNEL}', '${mark}')`);
      await eventually(() => Promise.resolve(heard.includes(mark)), 'the mark');
      return heard.slice(0, heard.indexOf(mark)).filter((payload) => payload === '').length;
    },
  };
}

/** @param databaseUrl as the relay knows it. A relay that knows another one is one of another process */
async function startRelay(databaseUrl: string): Promise<Relay> {
  const namespace = testNamespace();
  parts.push(await consume({ namespace }));
  const broker = brokerOf(namespace);
  parts.push(broker);
  await broker.start();
  const relay = new Relay({ databaseUrl, broker, service: 'test', logger: silentLogger });
  await relay.start();
  parts.push(relay);
  await relay.drained();
  return relay;
}

const published = (): Promise<boolean> => eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');

test('a commit wakes the relay of its own process without a notification', async () => {
  await startRelay(stage.databaseUrl);
  const listener = await listen();
  for (let count = 0; count < 5; count++) {
    await commit(stage.database, REPORTED, [reported()]);
    await published();
  }
  expect(await listener.count()).toBe(0);
});

test('a commit notifies the relay of another process, after it and not within it', async () => {
  await startRelay(`${stage.databaseUrl}?application_name=another`);
  const listener = await listen();
  await commit(stage.database, REPORTED, [reported()]);
  await published();
  await eventually(async () => (await listener.count()) === 1, 'the notification');
});

test('a transaction that is undone wakes nobody', async () => {
  const listener = await listen();
  const undone = stage.database.transaction((em) => {
    enqueue(em, REPORTED, [reported()]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await listener.count()).toBe(0);
  expect(() => enqueue(stage.database.em(), REPORTED, [reported()])).toThrow('there is no transaction');
});
