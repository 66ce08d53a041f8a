import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { withDeadLetters } from '@saleschannel/messaging';
import { openDatabase } from '@saleschannel/database';
import { eventually, failureOf, testBrokerUrl } from '@saleschannel/testing';
import { append } from '../src/operations/append.ts';
import { startLog, statusChange, type Log } from './support.ts';

let log: Log;
beforeAll(async () => {
  log = await startLog();
});
afterAll(() => log.stop());

const increasing = (events: { createdAt: string }[]): boolean =>
  events.every(
    ({ createdAt }, index) =>
      index === 0 || Date.parse(createdAt) > Date.parse((events[index - 1] as { createdAt: string }).createdAt),
  );

test('events of one message keep their order, each with a millisecond of its own', async () => {
  const channel = newId();
  const changes = [statusChange(channel), statusChange(channel)];
  await log.ledger.publish(changes);
  const events = await log.filled(channel, 2);
  expect(events.map(({ id }) => id)).toEqual(changes.map(({ eventId }) => eventId));
  expect(Date.parse(events[1]?.createdAt ?? '') - Date.parse(events[0]?.createdAt ?? '')).toBe(1);
});

test('a burst of 3,000 events is recorded whole and in order', async () => {
  const channel = newId();
  const changes = Array.from({ length: 3_000 }, () => statusChange(channel));
  for (let at = 0; at < changes.length; at += 100) await log.ledger.publish(changes.slice(at, at + 100));
  const events = await log.filled(channel, changes.length);
  expect(events.map(({ id }) => id)).toEqual(changes.map(({ eventId }) => eventId));
  expect(increasing(events)).toBe(true);
});

test('one message may hold events of many channels', async () => {
  const channels = Array.from({ length: 50 }, () => newId());
  const changes = Array.from({ length: 500 }, (_, index) => statusChange(channels[index % channels.length] as string));
  await log.ledger.publish(changes);
  for (const channel of channels) {
    const events = await log.filled(channel, 10);
    expect(events.map(({ id }) => id)).toEqual(
      changes.filter(({ salesChannelId }) => salesChannelId === channel).map(({ eventId }) => eventId),
    );
  }
});

test('an event that is delivered twice is recorded once, and takes no second time', async () => {
  const channel = newId();
  const changes = [statusChange(channel), statusChange(channel)];
  const [first, second] = changes as [(typeof changes)[0], (typeof changes)[0]];
  await log.ledger.publish([first, first, second]);
  const before = await log.filled(channel, 2);
  expect(Date.parse(before[1]?.createdAt ?? '') - Date.parse(before[0]?.createdAt ?? '')).toBe(1);
  const last = statusChange(channel);
  await log.ledger.publish([second, first]);
  await log.ledger.publish([first, last, second]);
  const after = await log.filled(channel, 3);
  expect(after.slice(0, 2)).toEqual(before);
  expect(after.map(({ id }) => id)).toEqual([first.eventId, second.eventId, last.eventId]);
  const heads = await log.sql<{ same: boolean }>(
    'select last_created_at = ?::timestamptz as same from event_head where sales_channel_id = ?',
    [after[2]?.createdAt, channel],
  );
  expect(heads).toEqual([{ same: true }]);
});

test('a clock that is behind the log does not stop it', async () => {
  const channel = newId();
  await log.ledger.publish([statusChange(channel)]);
  await log.filled(channel, 1);
  await log.sql(`update event_head set last_created_at = '2040-01-01T00:00:00Z' where sales_channel_id = ?`, [channel]);
  await log.ledger.publish([statusChange(channel), statusChange(channel)]);
  const events = await log.filled(channel, 3);
  expect(events.slice(1).map(({ createdAt }) => createdAt)).toEqual([
    '2040-01-01T00:00:00.001Z',
    '2040-01-01T00:00:00.002Z',
  ]);
});

test('an event that cannot be recorded is parked, and holds up no other', async () => {
  const channel = newId();
  const broken = statusChange(channel, { effectiveAt: 'noon' });
  const good = [statusChange(channel), statusChange(channel)];
  await log.ledger.publish([good[0] as never, broken, good[1] as never]);
  const events = await log.filled(channel, 2);
  expect(events.map(({ id }) => id)).toEqual(good.map(({ eventId }) => eventId));
  const parked = await eventually(
    () => withDeadLetters(testBrokerUrl(), log.namespace, async (letters) => (await letters.list('events.log', 10))[0]),
    'a dead letter',
  );
  expect(parked.body).toContain(broken.eventId);
});

test('new channels in batches that overlap are no trouble', async () => {
  const database = await openDatabase({
    url: log.service.databaseUrl,
    poolMax: 10,
    entities: [],
    migrations: [],
    logger: silentLogger,
  });
  const channels = Array.from({ length: 20 }, () => newId());
  const batches = Array.from({ length: 20 }, (_, index) =>
    [...channels.slice(index), ...channels.slice(0, index)].map((channel) => statusChange(channel)),
  );
  await Promise.all(batches.map((batch) => append(database, batch)));
  await database.close();
  for (const channel of channels) {
    const events = await log.filled(channel, batches.length);
    expect(events).toHaveLength(batches.length);
    expect(increasing(events)).toBe(true);
  }
});

test('the database itself refuses to change the log, and times that are not whole milliseconds', async () => {
  const channel = newId();
  await log.ledger.publish([statusChange(channel)]);
  await log.filled(channel, 1);
  const refused = async (text: string): Promise<string | undefined> => (await failureOf(log.sql(text, [channel]))).code;
  expect(await refused(`update event set status = 'FAILED' where sales_channel_id = ?`)).toBe('23000');
  expect(await refused('delete from event where sales_channel_id = ?')).toBe('23000');
  expect((await failureOf(log.sql('truncate event'))).code).toBe('23000');
  const insert = (time: string, id: string): string =>
    `insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status)
     values (?, '${time}', '${id}', 'TRANSACTION_STATUS_CHANGE', now(), 't', 'SUCCESS')`;
  expect(await refused(insert('2025-01-01T00:00:00.0005Z', newId()))).toBe('23514');
  await log.sql(insert('2025-01-01T00:00:00.001Z', newId()), [channel]);
  expect(await refused(insert('2025-01-01T00:00:00.001Z', newId()))).toBe('23505');
});
