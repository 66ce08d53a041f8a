import { request, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { invalidRequest, unavailable } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import { eventually } from '@saleschannel/testing';
import { expectProblem } from './support/http.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

/** Server-sent events. The test sets the clock; a stream reads it twice a second. */

const PATH = '/saleschannel-services/v1/events/stream';

/** Messages of the service. */
class Source {
  readonly request: { after?: string };
  readonly call: Call;
  readonly #queue: unknown[] = [];
  #wake: () => void = () => undefined;

  constructor(request: object, call: Call) {
    this.request = request;
    this.call = call;
    call.signal.addEventListener('abort', () => this.#wake());
  }

  send(message: object | 'end' | 'fail'): void {
    this.#queue.push(message);
    this.#wake();
  }

  async *messages(): AsyncGenerator<unknown> {
    for (;;) {
      const message = this.#queue.shift();
      if (message === 'end' || this.call.signal.aborted) return;
      if (message === 'fail') throw unavailable(new Error('the database is lost'));
      if (message === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else yield message;
    }
  }
}

let system: System;
let nowMs: number;
let sources: Source[];
const clients: Stream[] = [];
const start = async (variables: Record<string, string> = {}): Promise<System> => {
  const limits = { EVENT_STREAMS_AT_MOST: '4', EVENT_STREAMS_PER_USER: '2', ...variables };
  const started = await startSystem(limits, { now: () => nowMs });
  started.rpcs.events['StreamEvents'] = (request, call) => {
    const source = new Source(request, call);
    sources.push(source);
    source.send({ after: request['after'] ?? 'e0', events: [] });
    return source.messages();
  };
  return started;
};
beforeAll(async () => {
  nowMs = 0;
  system = await start();
});
beforeEach(() => {
  sources = [];
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await eventually(async () => sources.every(({ call }) => call.signal.aborted), 'the end of all streams');
});
afterAll(() => system.stop());

interface Stream {
  readonly response: IncomingMessage;
  /** Text received so far. */
  text(): string;
  has(text: string): Promise<void>;
  /** Resolves at the end of the stream, to true if it was complete. */
  ended(): Promise<boolean>;
  close(): void;
}

async function open(
  {
    query = '',
    as = system.user().authorization,
    headers = {},
  }: { query?: string; as?: string; headers?: object } = {},
  { address } = system,
): Promise<Stream> {
  const [host = '', port = ''] = address.split(':');
  const sent = request({ host, port, path: PATH + query, headers: { authorization: as, ...headers } });
  sent.on('error', () => undefined).end();
  const response = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve));
  let received = '';
  response.setEncoding('utf8').on('data', (piece: string) => (received += piece));
  const closed = new Promise<boolean>((resolve) =>
    response.on('error', () => undefined).on('close', () => resolve(response.complete)),
  );
  const stream: Stream = {
    response,
    text: () => received,
    has: async (text) => void (await eventually(async () => received.includes(text), `${text} in the stream`)),
    ended: () => closed,
    close: () => sent.destroy(),
  };
  clients.push(stream);
  return stream;
}

const expectStreamProblem = async (stream: Stream, status: number, code: string) => {
  await stream.ended();
  const { headers } = stream.response;
  return expectProblem({ status: stream.response.statusCode ?? 0, headers, text: stream.text() }, status, code);
};
const event = (id: string) => ({ ...samples.event, id });

describe('a stream of events', () => {
  test('begins with its position, and formats events like the list', async () => {
    const stream = await open();
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      ratelimit: expect.any(String),
    });
    await stream.has('retry: 2000\n\nid: e0\n: open\n\n');
    sources[0]?.send({ events: [event('e1'), event('e2')] });
    await stream.has('id: e2\n');
    const listed = JSON.parse((await system.call('listEvents')).text) as object[];
    const frames = stream.text().split('\n\n').slice(2, -1);
    expect(frames).toEqual(
      ['e1', 'e2'].map(
        (id) => `id: ${id}\nevent: TRANSACTION_STATUS_CHANGE\ndata: ${JSON.stringify({ ...listed[0], id })}`,
      ),
    );
    sources[0]?.send('end');
    expect(await stream.ended()).toBe(true);
  });

  test.each([
    ['', {}, undefined],
    ['?from=e5', {}, 'e5'],
    ['?from=0', {}, '0'],
    ['?from=e5', { 'last-event-id': 'e7' }, 'e7'],
    ['?from=e5', { 'last-event-id': '' }, 'e5'],
    ['', { 'last-event-id': 'e7' }, 'e7'],
  ])('%s with %j begins after %s', async (query, headers, after) => {
    await open({ query, headers });
    expect(sources[0]?.request.after).toBe(after);
  });

  test('an unknown event is a violation of its parameter', async () => {
    const before = system.rpcs.events['StreamEvents'];
    system.rpcs.events['StreamEvents'] = () => {
      throw invalidRequest('There is no such event.', [{ parameter: 'x', detail: 'y', code: 'unknown-event' }]);
    };
    const inQuery = await expectStreamProblem(await open({ query: '?from=e5' }), 400, 'invalid-request');
    const inHeader = await expectStreamProblem(
      await open({ headers: { 'last-event-id': 'e7' } }),
      400,
      'invalid-request',
    );
    if (before) system.rpcs.events['StreamEvents'] = before;
    expect([inQuery.errors, inHeader.errors]).toMatchObject([
      [{ parameter: 'from', code: 'unknown-event' }],
      [{ parameter: 'Last-Event-ID', code: 'unknown-event' }],
    ]);
  });

  test('an unavailable service gets 503 before the stream begins', async () => {
    const before = system.rpcs.events['StreamEvents'];
    system.rpcs.events['StreamEvents'] = () => {
      throw unavailable(new Error('down'));
    };
    const stream = await open();
    if (before) system.rpcs.events['StreamEvents'] = before;
    await expectStreamProblem(stream, 503, 'unavailable');
    expect(Number(stream.response.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('ends cleanly if its source fails, so that the client reconnects', async () => {
    const stream = await open();
    await stream.has(': open');
    sources[0]?.send({ events: [event('e1')] });
    await stream.has('id: e1');
    sources[0]?.send('fail');
    expect(await stream.ended()).toBe(true);
  });

  test('sends a comment after 15 seconds without events', async () => {
    const stream = await open();
    await stream.has(': open');
    nowMs += 14_000;
    sources[0]?.send({ events: [event('e1')] });
    await stream.has('id: e1');
    nowMs += 14_000;
    sources[0]?.send({ events: [event('e2')] });
    await stream.has('id: e2');
    expect(stream.text()).not.toContain(': still here');
    nowMs += 15_000;
    await stream.has(': still here');
  });

  test('ends cleanly after a quarter of an hour', async () => {
    const stream = await open();
    nowMs += 15 * 60_000;
    expect(await stream.ended()).toBe(true);
  });

  test('ends with the credential, with or without events', async () => {
    for (const isBusy of [false, true]) {
      const { authorization } = system.user();
      const stream = await open({ as: authorization });
      system.credentials.bearer.delete(authorization.replace('Bearer ', ''));
      nowMs += 2_001;
      if (isBusy) sources.at(-1)?.send({ events: [event('secret')] });
      expect(await stream.ended()).toBe(true);
      expect(stream.text()).not.toContain('secret');
    }
  });

  test('ends with the role', async () => {
    const { authorization } = system.user();
    const token = authorization.replace('Bearer ', '');
    const stream = await open({ as: authorization });
    const principal = system.credentials.bearer.get(token);
    if (principal?.kind !== 'user') throw new Error('no user');
    system.credentials.bearer.set(token, { ...principal, roles: ['TRADER_VIEWER'] });
    nowMs += 2_001;
    expect(await stream.ended()).toBe(true);
  });

  test('breaks off if its source breaks off', async () => {
    const stream = await open();
    await stream.has(': open');
    sources[0]?.send({
      events: [
        {
          id: {
            toString: () => {
              throw new Error('broken');
            },
          },
        },
      ],
    });
    expect(await stream.ended()).toBe(false);
  });

  test('cancels the call when its client disconnects', async () => {
    const stream = await open();
    await stream.has(': open');
    expect(sources[0]?.call.signal.aborted).toBe(false);
    stream.close();
    await eventually(async () => sources[0]?.call.signal.aborted === true, 'the end of the stream behind');
  });

  test('is limited per user and in total, and an end makes room', async () => {
    const { authorization: as } = system.user();
    const [first] = [await open({ as }), await open({ as })];
    const refused = await open({ as });
    await expectStreamProblem(refused, 429, 'rate-limited');
    expect(refused.response.headers['retry-after']).toBe('15');
    await open();
    await open();
    const crowded = await open();
    await expectStreamProblem(crowded, 503, 'unavailable');
    expect(crowded.response.headers['retry-after']).toBe('15');
    first.close();
    await eventually(async () => {
      const again = await open({ as });
      return again.response.statusCode === 200;
    }, 'room for another one');
  });

  test('is limited per sales channel', async () => {
    const shared = await start({ EVENT_STREAMS_PER_CHANNEL: '3' });
    try {
      const as = (salesChannelId: string) => ({ as: shared.user({ salesChannelId }).authorization });
      const streams = [await open(as('c1'), shared), await open(as('c1'), shared), await open(as('c1'), shared)];
      expect(streams.map(({ response }) => response.statusCode)).toEqual([200, 200, 200]);
      const refused = await open(as('c1'), shared);
      await expectStreamProblem(refused, 429, 'rate-limited');
      expect(refused.response.headers['retry-after']).toBe('15');
      expect((await open(as('c2'), shared)).response.statusCode).toBe(200);
      streams[0]?.close();
      await eventually(
        async () => (await open(as('c1'), shared)).response.statusCode === 200,
        'room for another one of the channel',
      );
    } finally {
      for (const client of clients.splice(0)) client.close();
      await shared.stop();
    }
  });

  test('is not opened by HEAD', async () => {
    const { authorization } = system.user();
    for (let count = 0; count < 5; count += 1) {
      const head = await system.raw({ method: 'HEAD', path: PATH, headers: { authorization } });
      expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
    }
  });

  test('ends when the gateway stops', async () => {
    const own = await start();
    const stream = await open({ as: own.user().authorization }, own);
    await stream.has(': open');
    await own.stop();
    expect(await stream.ended()).toBe(true);
  });
});
