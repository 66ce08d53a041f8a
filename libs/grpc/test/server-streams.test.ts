import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { requestRefused } from '@saleschannel/errors';
import type { Call, GrpcServer, ReplyOf, ResponseOf } from '@saleschannel/grpc';
import { callAs, eventually, catchFailure, neighbour, startNeighboursAt } from '@saleschannel/testing';
import { transports } from './support/servers.ts';

/** Longer than a test may take on a slow machine. */
const LONG_TIMEOUT_MS = 600_000;

type Sent = ResponseOf<'traders.ListTraders'>;
type Received = ReplyOf<'traders.ListTraders'>;

type Serve = (request: object, call: Call) => AsyncIterable<Sent>;

let newHost: () => string;
let server: GrpcServer;
let close: () => void;

/** Serves one stream, and returns a function that opens it. */
async function startServer(listTraders: Serve): Promise<() => Promise<AsyncIterable<Received>>> {
  server = await startNeighboursAt(newHost(), neighbour('traders', ['gateway'], { ListTraders: listTraders }));
  const client = await callAs('gateway', 'traders', server.address);
  close = () => client.close();
  return async () => client.ListTraders({});
}

afterEach(async () => {
  close();
  await server.stop();
});

async function collect(traders: AsyncIterable<Received>, into: string[] = []): Promise<string[]> {
  for await (const { id } of traders) into.push(id);
  return into;
}

describe.each(transports)('%s', (_transport, hostOf) => {
  beforeEach(() => {
    newHost = hostOf;
  });

  test('a stream arrives whole and in order', async () => {
    const list = await startServer(async function* () {
      for (let index = 0; index < 5_000; index++) yield { id: String(index) };
    });
    expect(await collect(await list())).toEqual(Array.from({ length: 5_000 }, (_, index) => String(index)));
  });

  test('an error before the first message arrives as it was thrown', async () => {
    const list = await startServer(async function* () {
      if (server) throw requestRefused('No.', [{ detail: 'no', code: 'invalid' }]);
      yield {};
    });
    expect(await catchFailure(collect(await list()))).toMatchObject({
      code: 'request-refused',
      message: 'No.',
      violations: [{ code: 'invalid' }],
    });
  });

  test('an error in the middle arrives after the messages before it', async () => {
    const list = await startServer(async function* () {
      yield { id: '1' };
      yield { id: '2' };
      throw requestRefused('No.');
    });
    const seen: string[] = [];
    expect(await catchFailure(collect(await list(), seen))).toMatchObject({ code: 'request-refused', message: 'No.' });
    expect(seen).toEqual(['1', '2']);
  });

  test('an unknown error reveals nothing', async () => {
    const list = await startServer(() => {
      throw new Error('a secret');
    });
    expect(await catchFailure(collect(await list()))).toMatchObject({
      code: 'internal',
      message: 'The request failed.',
    });
  });

  test('an already aborted call starts no stream', async () => {
    let started = 0;
    await startServer(async function* () {
      started += 1;
      yield { id: '1' };
    });
    const client = await callAs('gateway', 'traders', server.address);
    expect(await catchFailure(collect(client.ListTraders({}, { signal: AbortSignal.abort() })))).toMatchObject({
      code: 'unavailable',
    });
    client.close();
    expect(started).toBe(0);
  });

  test('a slow reader slows the sender, and one that leaves ends it', async () => {
    let sent = 0;
    const ended = Promise.withResolvers<void>();
    const list = await startServer(async function* () {
      try {
        for (;;) {
          sent += 1;
          yield { id: 'x'.repeat(10_000) };
        }
      } finally {
        ended.resolve();
      }
    });
    let read = 0;
    for await (const _trader of await list()) {
      read += 1;
      if (read === 100) break;
    }
    await ended.promise;
    // As much as fits into the buffers of both ends.
    expect(sent).toBeLessThan(10_000);
  });

  test('data for a slow reader are bounded in bytes, not in messages', async () => {
    let streams = 0;
    let sent = 0;
    const list = await startServer(async function* () {
      if (streams++ > 0) return yield { id: 'another one' };
      for (;;) {
        sent += 1;
        yield { id: 'x'.repeat(256 * 1024) };
      }
    });
    const reader = (await list())[Symbol.asyncIterator]();
    await reader.next();
    // Enough time for all messages that the sender would send.
    for (let turn = 0; turn < 200; turn++) await collect(await list());
    // Sixteen messages are on the reader's side. The window bounds those in between, and one waits for room.
    expect(sent).toBeLessThan(24);
    await reader.return?.();
  });

  test('cancelling many streams at once interrupts no other stream', async () => {
    let streams = 0;
    await startServer(async function* (_request, { signal }) {
      const isOther = streams++ === 0;
      for (let index = 0; isOther || index === 0; index++) yield { id: String(index) };
      if (!signal.aborted)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
    const patient = await callAs('gateway', 'traders', server.address, undefined, LONG_TIMEOUT_MS);
    const list = (): AsyncIterable<Received> => patient.ListTraders({}, { timeoutMs: LONG_TIMEOUT_MS });
    const other = list()[Symbol.asyncIterator]();
    await other.next();
    // More than Node allows a client to cancel by default, before it closes the connection.
    for (let turn = 0; turn < 50; turn++) {
      const cancelled = Array.from({ length: 50 }, async () => {
        for await (const _first of list()) break;
      });
      await Promise.all(cancelled);
    }
    for (let index = 1; index < 100; index++) expect((await other.next()).value).toMatchObject({ id: String(index) });
    await other.return?.();
    patient.close();
  });

  test('ended calls share one error, because each stack would be a part of its cost', async () => {
    const reasons: unknown[] = [];
    const both = Promise.withResolvers<void>();
    await startServer(async function* (_request, { signal }) {
      yield { id: '1' };
      if (!signal.aborted)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      if (reasons.push(signal.reason) === 2) both.resolve();
    });
    const caller = await callAs('gateway', 'traders', server.address, undefined, LONG_TIMEOUT_MS);
    for (let count = 0; count < 2; count++) for await (const _first of caller.ListTraders({})) break;
    await both.promise;
    expect(reasons[0]).toMatchObject({ name: 'AbortError' });
    expect(reasons[1]).toBe(reasons[0]);
    caller.close();
  });

  test('a stream without a first message ends at the timeout of a call, regardless of its own', async () => {
    const ended = Promise.withResolvers<void>();
    let hasBegun = false;
    await startServer(async function* (_request, call) {
      hasBegun = true;
      const { signal } = call;
      if (!signal.aborted)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      ended.resolve();
      yield {};
    });
    const impatient = await callAs('gateway', 'traders', server.address, undefined, 50);
    // On a slow machine a stream may end before it is connected.
    await eventually(async () => {
      const list = impatient.ListTraders({}, { timeoutMs: 3_600_000 });
      expect(await catchFailure(collect(list))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
      return hasBegun;
    }, 'a started stream');
    await ended.promise;
    impatient.close();
  });
});
