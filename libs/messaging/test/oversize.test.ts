import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { query, sql } from '@saleschannel/database';
import { makeTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { newId } from '@saleschannel/primitives';
import { eventually, testNamespace } from '@saleschannel/testing';
import { enqueue, MESSAGE_BYTES_AT_MOST, Relay } from '../src/index.ts';
import { deleteRows, readRows } from '../src/outbox-rows.ts';
import {
  brokerOf,
  commit,
  consume,
  createStage,
  recordingLogger,
  reported,
  REPORTED,
  type Stage,
} from './support/stage.ts';

/** A broker that closes the channel of whoever sends more than 64 KiB, as RabbitMQ 4 does at 16 MiB. */

const BROKER_BYTES_AT_MOST = 64 * 1024;
let folder: string;
let rabbit: RunningRabbitMq;
let stage: Stage;
const parts: { stop(): Promise<void> }[] = [];

const startNode = (): Promise<RunningRabbitMq> =>
  startRabbitMq({
    dataDirectory: join(folder, 'rabbitmq'),
    users: [{ name: 'all', password: 'all', configure: '.*', write: '.*', read: '.*' }],
    vhost: '/',
    log: () => undefined,
    removeWhenOrphaned: true,
  });

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  // The first start makes the folder for further settings.
  await startNode().then((node) => node.stop());
  const settings = join(folder, 'rabbitmq', 'config', 'conf.d');
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'size.conf'), `max_message_size = ${BROKER_BYTES_AT_MOST}\n`);
  rabbit = await startNode();
}, 120_000);
afterAll(async () => {
  await rabbit.stop();
  removeFolder(folder);
});
beforeEach(async () => {
  stage = await createStage();
});
afterEach(async () => {
  for (const part of parts.splice(0).reverse()) await part.stop();
  await stage.drop();
});

const kept = <P extends { stop(): Promise<void> }>(part: P): P => {
  parts.push(part);
  return part;
};

/** A consumer of the outcomes, and a relay that sends what the outbox holds. */
async function start() {
  const namespace = testNamespace();
  const { logger, lines } = recordingLogger();
  const listening = kept(await consume({ namespace, url: rabbit.url('all') }));
  const broker = kept(brokerOf(namespace, rabbit.url('all')));
  const relay = new Relay({ databaseUrl: stage.databaseUrl, broker, service: 'test', logger });
  await broker.start();
  await kept(relay).start();
  return { heard: () => listening.heard.map(({ event }) => event.taskId), lines };
}

/** An entry of about so many bytes. */
const entryOf = (bytes: number) => ({ ...reported(newId()), reason: 'x'.repeat(bytes) });
const outboxEmpty = (): Promise<boolean> =>
  eventually(async () => (await stage.countOutbox()) === 0, 'an empty outbox');
const refusedRows = () =>
  query<{ type: string; body: string; reason: string }>(
    stage.database.em(),
    sql`select type, body, reason from outbox_refused`,
  );

test('an event that the broker refuses for good is set aside with the reason, and all others go on', async () => {
  const [before, tooLarge, after] = [entryOf(10), entryOf(BROKER_BYTES_AT_MOST + 1), entryOf(10)];
  await commit(stage.database, REPORTED, [before, tooLarge, after]);
  const { heard, lines } = await start();
  await outboxEmpty();
  await eventually(() => Promise.resolve(heard().includes(before.taskId) && heard().includes(after.taskId)), 'others');
  const later = entryOf(10);
  await commit(stage.database, REPORTED, [later]);
  await eventually(() => Promise.resolve(heard().includes(later.taskId)), 'what is committed later');
  const rows = await refusedRows();
  expect(rows).toEqual([
    { type: REPORTED, body: JSON.stringify({ entries: [tooLarge] }), reason: expect.stringContaining('406') },
  ]);
  expect(lines.some((line) => line.includes('refuses an event for good'))).toBe(true);
});

test('of a message that is too large only the entry that is too large itself is set aside', async () => {
  const small = [entryOf(30_000), entryOf(30_000), entryOf(30_000)];
  const tooLarge = entryOf(BROKER_BYTES_AT_MOST + 1);
  await stage.database.transaction((em) => enqueue(em, REPORTED, [...small, tooLarge]));
  expect(await stage.countOutbox()).toBe(1);
  const { heard } = await start();
  await outboxEmpty();
  await eventually(() => Promise.resolve(new Set(heard()).size === small.length), 'the others');
  expect((await refusedRows()).map(({ body }) => body)).toEqual([JSON.stringify({ entries: [tooLarge] })]);
});

test('messages are cut by bytes as well as by entries', async () => {
  const third = Math.floor(MESSAGE_BYTES_AT_MOST / 3);
  const entries = [...Array.from({ length: 7 }, () => entryOf(third)), entryOf(2 * MESSAGE_BYTES_AT_MOST), entryOf(10)];
  await stage.database.transaction((em) => enqueue(em, REPORTED, entries));
  const rows = await query<{ bytes: number; body: string }>(
    stage.database.em(),
    sql`select octet_length(body) as bytes, body from outbox order by id`,
  );
  expect(rows.map(({ bytes }) => bytes <= MESSAGE_BYTES_AT_MOST)).toEqual([true, true, true, true, false, true]);
  expect(rows.flatMap(({ body }) => (JSON.parse(body) as { entries: unknown[] }).entries)).toEqual(entries);
});

test('a round reads about a message of the largest size, however large single rows are', async () => {
  const half = entryOf(Math.floor(MESSAGE_BYTES_AT_MOST / 2) - 1_000);
  await commit(stage.database, REPORTED, [half, half, half, entryOf(2 * MESSAGE_BYTES_AT_MOST), entryOf(1)]);
  const sizes: number[] = [];
  for (;;) {
    const rows = await query<{ id: string; ahead: number }>(stage.database.em(), readRows(new Set(), [], '0'));
    if (rows.length === 0) break;
    sizes.push(rows.length);
    await query(stage.database.em(), deleteRows(rows.map(({ id }) => id)));
  }
  expect(sizes).toEqual([2, 1, 1, 1]);
});
