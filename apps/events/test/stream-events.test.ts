import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
import type { CallOptions, ReplyOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, collect, catchFailure } from '@saleschannel/testing';
import { idsOf, startEvents, statusChange, type Event, type Events } from './support/events.ts';

type Message = ReplyOf<'events.StreamEvents'>;

let log: Events;
let channel: string;
let gateway: Awaited<ReturnType<typeof callAs<'events'>>>;
beforeAll(async () => {
  log = await startEvents();
  gateway = await callAs('gateway', 'events', log.service.address);
});
beforeEach(() => {
  channel = newId();
});
afterAll(async () => {
  gateway.close();
  await log.stop();
});

const STREAM_MS = 120_000;

/** An open stream. */
interface Opened {
  readonly after: string | undefined;
  /** Waits for this number of events. */
  take(count: number): Promise<Event[]>;
  end(): Promise<void>;
}

async function open(after?: string, of = channel, service = gateway): Promise<Opened> {
  const ended = new AbortController();
  const options: CallOptions = { ...(await asUser(of, ['EVENT_VIEWER'])), timeoutMs: STREAM_MS, signal: ended.signal };
  const messages = service.StreamEvents(after === undefined ? {} : { after }, options)[Symbol.asyncIterator]();
  const { value: first } = (await messages.next()) as { value: Message };
  const received: Event[] = [];
  return {
    after: first.after,
    async take(count) {
      while (received.length < count) {
        const { value, done } = await messages.next();
        if (done) throw new Error('The stream has ended.');
        received.push(...value.events);
      }
      return received.splice(0, count);
    },
    async end() {
      ended.abort();
      await messages.next().catch(() => undefined);
    },
  };
}

async function recorded(count: number): Promise<Event[]> {
  const before = (await log.list(channel)).length;
  const changes: TransactionStatusChanged[] = Array.from({ length: count }, () => statusChange(channel));
  await log.publish(changes);
  return (await log.filled(channel, before + count)).slice(before);
}

describe('StreamEvents', () => {
  test('starts at the end of the log by default, and reports the position', async () => {
    const before = await recorded(3);
    const stream = await open();
    expect(stream.after).toBe(before.at(-1)?.id);
    const added = await recorded(2);
    expect(await stream.take(2)).toEqual(added);
    await stream.end();
  });

  test('starts after a given event, or with the first one', async () => {
    const before = await recorded(4);
    for (const [after, from] of [
      ['0', 0],
      [before[0]?.id, 1],
      [before[3]?.id, 4],
    ] as const) {
      const stream = await open(after);
      expect(stream.after).toBe(after);
      expect(await stream.take(4 - from)).toEqual(before.slice(from));
      await stream.end();
    }
  });

  test('starts at the beginning of an empty log', async () => {
    const stream = await open();
    expect(stream.after).toBe('0');
    const added = await recorded(1);
    expect(await stream.take(1)).toEqual(added);
    await stream.end();
  });

  test("refuses an unknown event, and equally another channel's", async () => {
    const [own] = await recorded(1);
    const failures = [];
    for (const [after, of] of [
      [String(own?.id), newId()],
      [newId(), channel],
      ['a\0b', channel],
      ['', channel],
    ] as const)
      failures.push(await catchFailure(open(after, of)));
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ code: 'unknown-event' }] });
    }
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
  });

  test("hides other channels' events, and requires EVENT_VIEWER", async () => {
    const stream = await open();
    await log.publish([statusChange(newId())]);
    const added = await recorded(1);
    expect(idsOf(await stream.take(1))).toEqual(idsOf(added));
    await stream.end();
    const answers = collect(gateway.StreamEvents({}, await asUser(channel, ['TRADER_VIEWER'])));
    expect(await catchFailure(answers)).toMatchObject({ code: 'forbidden' });
  });

  test('reads many pages from the beginning while more events are recorded', async () => {
    await recorded(450);
    const stream = await open('0');
    const [first, more] = await Promise.all([stream.take(450), recorded(30)]);
    const rest = await stream.take(30);
    expect([...first, ...rest]).toEqual(await log.list(channel));
    expect(idsOf(rest)).toEqual(idsOf(more));
    await stream.end();
  });

  test('race: streams on two writing replicas receive each event once, in order', async () => {
    const replica = await log.replica();
    const other = await callAs('gateway', 'events', replica.address);
    const TOTAL = 240;
    const streams: Promise<Event[]>[] = [];
    const opened: Opened[] = [];
    const follow = async (service: typeof gateway): Promise<void> => {
      const stream = await open('0', channel, service);
      opened.push(stream);
      streams.push(stream.take(TOTAL));
    };
    for (let batch = 0; batch < 12; batch += 1) {
      await log.publish(Array.from({ length: TOTAL / 12 }, () => statusChange(channel)));
      if (batch % 3 === 0) await Promise.all([follow(gateway), follow(other)]);
    }
    const all = await log.filled(channel, TOTAL);
    for (const events of await Promise.all(streams)) expect(idsOf(events)).toEqual(idsOf(all));
    for (const stream of opened) await stream.end();
    other.close();
  });

  test('is limited per channel', async () => {
    const streams = await Promise.all(Array.from({ length: 100 }, () => open()));
    expect(await catchFailure(open())).toMatchObject({ code: 'unavailable', retryAfterSeconds: 15 });
    await (await open(undefined, newId())).end();
    const added = await recorded(1);
    for (const stream of streams) expect(await stream.take(1)).toEqual(added);
    await Promise.all(streams.map((stream) => stream.end()));
    const again = await open();
    await again.end();
  });

  test('ends when the service stops', async () => {
    const own = await startEvents();
    const client = await callAs('gateway', 'events', own.service.address);
    const stream = await open(undefined, channel, client);
    const ended = stream.take(1).then(
      () => 'an event',
      (error: Error) => error.message,
    );
    await own.stop();
    expect(await ended).toBe('The stream has ended.');
    client.close();
  });
});
