import { describe, afterAll, beforeAll, expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { withDeadLetters } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { registerTracing } from '@saleschannel/runtime';
import { eventually, catchFailure, openTestDatabase, toRuntimeUrl, testBrokerUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import { appendEvents } from '../src/operations/append-events.ts';
import { schema } from '../src/store/schema.ts';
import { idsOf, startEvents, statusChange, timesOf, type Event, type Events } from './support/events.ts';

let log: Events;
beforeAll(async () => {
  log = await startEvents();
});
afterAll(() => log.stop());

/** Milliseconds from each event to the next. */
function stepsOf(events: readonly Event[]): number[] {
  const times = timesOf(events);
  return times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN));
}
const increasing = (events: readonly Event[]): boolean => stepsOf(events).every((step) => step > 0);

test('events of one message keep their order, one millisecond apart', async () => {
  const channel = newId();
  const changes = [statusChange(channel), statusChange(channel)];
  await log.publish(changes);
  const events = await log.filled(channel, 2);
  expect(idsOf(events)).toEqual(changes.map(({ eventId }) => eventId));
  expect(stepsOf(events)).toEqual([1]);
});

test('a burst of 3,000 events is recorded completely and in order', async () => {
  const channel = newId();
  const changes = Array.from({ length: 3_000 }, () => statusChange(channel));
  for (let at = 0; at < changes.length; at += 100) await log.publish(changes.slice(at, at + 100));
  const events = await log.filled(channel, changes.length);
  expect(idsOf(events)).toEqual(changes.map(({ eventId }) => eventId));
  expect(increasing(events)).toBe(true);
});

test('one message may hold events of many channels', async () => {
  const channels = Array.from({ length: 50 }, () => newId());
  const changes = Array.from({ length: 10 }, () => channels.map((channel) => statusChange(channel))).flat();
  await log.publish(changes);
  for (const channel of channels) {
    const events = await log.filled(channel, 10);
    expect(idsOf(events)).toEqual(
      changes.filter(({ salesChannelId }) => salesChannelId === channel).map(({ eventId }) => eventId),
    );
  }
});

test('an event delivered twice is recorded once and uses no second time', async () => {
  const channel = newId();
  const [first, second, last] = [statusChange(channel), statusChange(channel), statusChange(channel)];
  await log.publish([first, first, second]);
  const before = await log.filled(channel, 2);
  expect(stepsOf(before)).toEqual([1]);
  await log.publish([second, first]);
  await log.publish([first, last, second]);
  const after = await log.filled(channel, 3);
  expect(after.slice(0, 2)).toEqual(before);
  expect(idsOf(after)).toEqual([first.eventId, second.eventId, last.eventId]);
  const heads = await log.service.sql(
    'select last_created_at = $1::timestamptz as "isLast" from log_head where sales_channel_id = $2',
    [after[2]?.createdAt, channel],
  );
  expect(heads).toEqual([{ isLast: true }]);
});

test('a clock that is behind the log does not stop it', async () => {
  const channel = newId();
  await log.publish([statusChange(channel)]);
  await log.filled(channel, 1);
  await log.service.sql(`update log_head set last_created_at = '2040-01-01T00:00:00Z' where sales_channel_id = $1`, [
    channel,
  ]);
  await log.publish([statusChange(channel), statusChange(channel)]);
  const events = await log.filled(channel, 3);
  expect(events.slice(1).map(({ createdAt }) => createdAt)).toEqual([
    '2040-01-01T00:00:00.001Z',
    '2040-01-01T00:00:00.002Z',
  ]);
});

test('an event that cannot be recorded becomes a dead letter and delays no other', async () => {
  const channel = newId();
  const broken = statusChange(channel, { effectiveAt: 'noon' });
  const [first, last] = [statusChange(channel), statusChange(channel)];
  await log.publish([first, broken, last]);
  const events = await log.filled(channel, 2);
  expect(idsOf(events)).toEqual([first.eventId, last.eventId]);
  const letter = await eventually(
    () => withDeadLetters(testBrokerUrl(), log.namespace, async (letters) => (await letters.list('events.log', 10))[0]),
    'a dead letter',
  );
  expect(letter.body).toContain(broken.eventId);
});

test('overlapping batches may create heads of new channels concurrently', async () => {
  const database = await openTestDatabase({
    url: log.service.databaseUrl,
    poolMax: 10,
    ...schema,
  });
  const channels = Array.from({ length: 20 }, () => newId());
  const batches = Array.from({ length: 20 }, (_, index) =>
    [...channels.slice(index), ...channels.slice(0, index)].map((channel) => statusChange(channel)),
  );
  await Promise.all(batches.map((batch) => appendEvents(database, batch, () => undefined)));
  await database.stop();
  for (const channel of channels) {
    const events = await log.filled(channel, batches.length);
    expect(events).toHaveLength(batches.length);
    expect(increasing(events)).toBe(true);
  }
});

test('the database refuses changes of the log, and times that are not whole milliseconds', async () => {
  const channel = newId();
  await log.publish([statusChange(channel)]);
  await log.filled(channel, 1);
  const refused = async (text: string): Promise<string | undefined> =>
    (await catchFailure(log.service.sql(text, [channel]))).code;
  expect(await refused(`update event set status = 'FAILED' where sales_channel_id = $1`)).toBe('23000');
  expect(await refused('delete from event where sales_channel_id = $1')).toBe('23000');
  expect((await catchFailure(log.service.sql('truncate event'))).code).toBe('23000');
  const insert = (time: string): string =>
    `insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status)
     values ($1, '${time}', '${newId()}', 'TRANSACTION_STATUS_CHANGE', now(), 't', 'SUCCESS')`;
  expect(await refused(insert('2025-01-01T00:00:00.0005Z'))).toBe('23514');
  await log.service.sql(insert('2025-01-01T00:00:00.001Z'), [channel]);
  expect(await refused(insert('2025-01-01T00:00:00.001Z'))).toBe('23505');
});

test("the service's role can update the head of a log, but not delete it", async () => {
  const runtime = new Client({ connectionString: toRuntimeUrl(log.service.databaseUrl) });
  await runtime.connect();
  const channel = newId();
  await log.publish([statusChange(channel)]);
  await log.filled(channel, 1);
  await expect(runtime.query('delete from log_head')).rejects.toMatchObject({ code: '42501' });
  const { rowCount } = await runtime.query(
    'update log_head set last_created_at = last_created_at where sales_channel_id = $1',
    [channel],
  );
  expect(rowCount).toBe(1);
  await runtime.end();
});

describe('with tracing', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  let endTracing: () => void;
  beforeAll(async () => void (endTracing = await registerTracing(provider)));
  afterAll(() => endTracing());

  test('each event appears in the trace of its request, and the batch in one of them', async () => {
    const log = await startEvents();
    const channel = newId();
    const traceparent = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
    const changes = [
      statusChange(channel, { traceparent: traceparent('a') }),
      statusChange(channel),
      statusChange(channel, { traceparent: traceparent('b') }),
    ];
    await log.publish(changes);
    await log.filled(channel, changes.length);
    // Waits for the end of the batch and its spans.
    await log.stop();
    const spansOf = (name: string): unknown[] =>
      exporter
        .getFinishedSpans()
        .filter((span) => span.name === name)
        .map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId]);
    expect(spansOf('events.log process')).toEqual([
      ['a'.repeat(32), 'a'.repeat(16)],
      ['b'.repeat(32), 'b'.repeat(16)],
    ]);
    const [first] = exporter.getFinishedSpans().filter(({ name }) => name === 'events.log process');
    expect(spansOf('events.log batch')).toEqual([['a'.repeat(32), first?.spanContext().spanId]]);
  });
});
