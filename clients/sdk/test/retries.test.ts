import { afterEach, expect, jest, test } from '@jest/globals';
import {
  ConnectionError,
  InternalError,
  isOutcomeUnknown,
  NotFoundError,
  RateLimitedError,
  RequestRefusedError,
  SalesChannel,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
} from '../src/index.ts';
import { operationTable } from '../src/gen/operations.ts';
import {
  resetConnection,
  resetInBody,
  inMemory,
  inTurn,
  json,
  problem,
  neverReply,
  startServer,
  type Reply,
  type Server,
} from './support/server.ts';

let server: Server | undefined;
afterEach(() => server?.stop());

async function serve(...replies: readonly [Reply, ...Reply[]]): Promise<Server> {
  server = await startServer(inTurn(...replies));
  return server;
}

const trader = { id: 't1', name: 'Nordic Biochar AS' };
const task = { taskId: 'k1', status: 'SUCCESS', idempotencyKey: 'x', message: '', responsePayload: { id: 'tx1' } };
const trade = { buyerId: 't2', currency: 'EUR' as const, assets: [{ start: 'a_1', end: 'a_1', unitPrice: 1 }] };
const unavailable = problem(503, 'unavailable', {}, { 'Retry-After': '0' });

test('a read survives refusals, broken connections and truncated responses', async () => {
  const { client, received } = await serve(
    unavailable,
    resetConnection,
    problem(429, 'rate-limited', {}, { 'Retry-After': new Date(Date.now() - 1_000).toUTCString() }),
    resetInBody,
    problem(500, 'internal'),
    json(200, trader),
  );
  const { data, requestId } = await client()
    .request('getTrader', { path: { traderId: 't1' } })
    .withResponse();
  expect(data).toEqual(trader);
  const ids = received.map(({ headers }) => String(headers['x-request-id']));
  expect(requestId).toBe(ids.at(-1));
  // Attempts have distinct request ids with a common prefix.
  expect(ids.map((id) => id.replace(/^\w{32}-/, ''))).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(new Set(ids.map((id) => id.slice(0, 32))).size).toBe(1);
});

test('a transfer has one key for all attempts, generated or given', async () => {
  const { client, received } = await serve(
    resetConnection,
    unavailable,
    resetInBody,
    problem(500, 'internal'),
    json(201, task),
  );
  await client().trades.start('t1', trade);
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(5);
  expect(new Set(keys).size).toBe(1);
  await client().trades.start('t1', trade, { idempotencyKey: 'order-17' });
  expect(received.at(-1)?.headers['idempotency-key']).toBe('order-17');
  await expect(client().trades.start('t1', trade, { idempotencyKey: 'no spaces' })).rejects.toThrow(TypeError);
  expect(received).toHaveLength(6);
});

test('creating an API key uses one key for all attempts', async () => {
  const { client, received } = await serve(resetConnection, unavailable, json(201, {}));
  await client().apiKeys.create();
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
});

test('every POST accepts a key', () => {
  const without = Object.entries(operationTable)
    .filter(([, { method, takesKey }]) => method === 'POST' && !takesKey)
    .map(([id]) => id);
  expect(without).toEqual([]);
});

test.each([
  ['a broken connection', resetConnection, ConnectionError],
  ['an internal error', problem(500, 'internal'), InternalError],
  ['a refusal', problem(400, 'request-refused'), RequestRefusedError],
] as const)('the error after %s has the key, and so has the response', async (_what, reply, kind) => {
  const { client, received } = await serve(reply, json(201, trader));
  const error = await client({ retries: 0 })
    .traders.create({ name: 'x', businessId: 'x', address: {} })
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(kind);
  const key = received[0]?.headers['idempotency-key'];
  expect(error).toMatchObject({ idempotencyKey: key });
  expect(isOutcomeUnknown(error)).toBe(kind !== RequestRefusedError);
  const { idempotencyKey } = error as ConnectionError;
  const again = client().traders.create({ name: 'x', businessId: 'x', address: {} }, { idempotencyKey });
  expect(await again.withResponse()).toMatchObject({ idempotencyKey: key });
  expect(received[1]?.headers['idempotency-key']).toBe(key);
});

/** A change without Idempotency-Key. */
const change = (client: SalesChannel): Promise<unknown> =>
  client.request('updateTrader', { path: { traderId: 't1' }, body: { name: 'x' } });

const catchFailure = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test.each([
  ['a broken connection', resetConnection, ConnectionError],
  ['an incomplete response', resetInBody, ConnectionError],
  ['a 503', unavailable, UnavailableError],
  ['a 500', problem(500, 'internal'), InternalError],
])('PATCH and DELETE are idempotent and retried after %s', async (_, reply, kind) => {
  const { client, received } = await serve(reply, json(200, trader), reply, json(200, {}), reply);
  await change(client());
  await client().apiKeys.delete('k1');
  const methods = received.map(({ method }) => method);
  expect(methods).toEqual(['PATCH', 'PATCH', 'DELETE', 'DELETE']);
  const failure = await catchFailure(change(client({ retries: 1 })));
  expect(failure).toBeInstanceOf(kind);
  expect(isOutcomeUnknown(failure)).toBe(true);
  expect((failure as ConnectionError).requestId).toBe(received[5]?.headers['x-request-id']);
});

test('after a lost response, a DELETE with 404 may have been carried out', async () => {
  const { client } = await serve(resetConnection, problem(404, 'not-found'));
  const repeated = await catchFailure(client().apiKeys.delete('k1'));
  expect(repeated).toBeInstanceOf(NotFoundError);
  expect(isOutcomeUnknown(repeated)).toBe(true);
  expect(isOutcomeUnknown(await catchFailure(client().apiKeys.delete('k1')))).toBe(false);
});

test.each([
  ['a caller over the limit', problem(429, 'rate-limited', {}, { 'Retry-After': '3600' }), true],
  ['a caller who lost a role', problem(403, 'forbidden'), true],
  ['a caller with an invalid request', problem(400, 'request-refused'), false],
])('%s learns whether the previous attempt may have been carried out', async (_, reply, isUnknown) => {
  const { client } = await serve(resetConnection, reply);
  expect(isOutcomeUnknown(await catchFailure(client().trades.start('t1', trade)))).toBe(isUnknown);
  expect(isOutcomeUnknown(await catchFailure(client().trades.start('t1', trade)))).toBe(false);
});

test.each([
  ['a read', (client: SalesChannel) => client.traders.get('t1')],
  ['a plan', (client: SalesChannel) => client.inventory.plan('t1', { type: 'TRADE', volume: 1, order: 'OLDEST' })],
])('%s has no side effects, no key and no unknown outcome', async (_, ask) => {
  const { client, received } = await serve(unavailable, resetConnection);
  for (const retries of [0, 1]) {
    const failure = await catchFailure(ask(client({ retries })));
    expect(failure).toMatchObject({ idempotencyKey: undefined, requestId: expect.any(String) });
    expect(isOutcomeUnknown(failure)).toBe(false);
  }
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined, undefined]);
});

test('a rate-limited request was not carried out and is retried', async () => {
  const { client, received } = await serve(problem(429, 'rate-limited', {}, { 'Retry-After': '0' }), json(201, {}));
  await change(client());
  expect(received).toHaveLength(2);
});

test('an unsent request is retried and was not carried out', async () => {
  const { client, stop } = await serve(json(201, {}));
  await stop();
  let attempts = 0;
  const counting: typeof fetch = (...words) => {
    attempts += 1;
    return fetch(...words);
  };
  const failure = await catchFailure(change(client({ fetch: counting, retries: 3 })));
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(isOutcomeUnknown(failure)).toBe(false);
  expect(attempts).toBe(4);
});

test('retries are limited, and the last response is the result', async () => {
  const { client, received } = await serve(unavailable);
  await expect(client({ retries: 2 }).traders.get('t1')).rejects.toThrow(UnavailableError);
  expect(received).toHaveLength(3);
});

test('no retry waits beyond the deadline', async () => {
  const { client, received } = await serve(problem(429, 'rate-limited', {}, { 'Retry-After': '3600' }));
  const failure: unknown = await client()
    .traders.get('t1')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RateLimitedError);
  expect(failure).toMatchObject({ retryAfterMs: 3_600_000 });
  expect(received).toHaveLength(1);
});

test('an attempt that times out is retried', async () => {
  const { client, received } = await serve(neverReply, json(200, trader));
  expect(await client({ attemptTimeoutMs: 500, retries: 100 }).traders.get('t1')).toEqual(trader);
  expect(received.length).toBeGreaterThan(1);
});

test('a call without response times out', async () => {
  const { client } = await serve(neverReply);
  await expect(client({ timeoutMs: 50 }).traders.get('t1')).rejects.toThrow(TimeoutError);
});

test('an abort ends a request and a pause', async () => {
  const { client, received } = await serve(neverReply, problem(503, 'unavailable', {}, { 'Retry-After': '60' }));
  const reason = new Error('enough');
  const abortRequest = async (): Promise<void> => {
    const ending = new AbortController();
    const count = received.length;
    const asking = client().traders.get('t1', { signal: ending.signal });
    const hasArrived = async (): Promise<void> => {
      while (received.length === count) await new Promise((resolve) => void setImmediate(resolve));
    };
    await hasArrived();
    ending.abort(reason);
    await expect(asking).rejects.toBe(reason);
  };
  await abortRequest();
  await abortRequest();
  await expect(client().traders.get('t1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(received).toHaveLength(2);
});

test('a refused token is requested again, once', async () => {
  const { client, received } = await serve(
    problem(401, 'unauthenticated'),
    json(200, trader),
    problem(401, 'unauthenticated'),
  );
  const calls: unknown[] = [];
  const accessToken = ({ refused }: { refused: string | undefined }): string => {
    calls.push(refused);
    return refused === undefined ? 'old' : 'new';
  };
  await client({ credentials: { accessToken } }).traders.get('t1');
  expect(calls).toEqual([undefined, 'old']);
  expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  await expect(client({ credentials: { accessToken } }).traders.get('t1')).rejects.toThrow(UnauthenticatedError);
  expect(received).toHaveLength(4);
  await expect(client().traders.get('t1')).rejects.toThrow(UnauthenticatedError);
  expect(received).toHaveLength(5);
});

test('waiting for a token is limited by the timeout', async () => {
  const { client, received } = await serve(json(200, trader));
  const credentials = { accessToken: () => new Promise<string>(() => undefined) };
  const late = await catchFailure(client({ credentials, timeoutMs: 50 }).trades.start('t1', trade));
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late).toMatchObject({ idempotencyKey: expect.any(String), requestId: expect.any(String) });
  // Nothing was sent.
  expect(isOutcomeUnknown(late)).toBe(false);
  const ending = new AbortController();
  const asking = client({ credentials }).traders.get('t1', { signal: ending.signal });
  ending.abort(new Error('enough'));
  await expect(asking).rejects.toThrow('enough');
  expect(received).toHaveLength(0);
});

test('if no new token arrives, the previous request may have been carried out', async () => {
  const { options } = inMemory(
    () => new Response(null, { status: 503 }),
    () => new Response(null, { status: 401 }),
  );
  const accessToken = ({ refused }: { refused: string | undefined }): string | Promise<string> =>
    refused === undefined ? 'old' : new Promise<string>(() => undefined);
  jest.useFakeTimers();
  try {
    const client = new SalesChannel({ ...options, credentials: { accessToken } });
    const starting = catchFailure(client.trades.start('t1', trade, { idempotencyKey: 'order-1' }));
    await jest.advanceTimersByTimeAsync(120_000);
    const late = await starting;
    expect(late).toMatchObject({ message: 'The access token was not available in time', idempotencyKey: 'order-1' });
    expect((late as TimeoutError).requestId).toMatch(/-2$/);
    expect(isOutcomeUnknown(late)).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

test.each(['of-two\nlines', 'with a space', '', 'ö'])(
  'an invalid token, %p, is neither sent nor shown',
  async (token) => {
    const { client, received } = await serve(json(200, trader));
    for (const accessToken of [token, () => token]) {
      const failure: unknown = await (async () => client({ credentials: { accessToken } }).traders.get('t1'))().catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(TypeError);
      if (token !== '') expect(String(failure)).not.toContain(token);
    }
    expect(received).toHaveLength(0);
  },
);

const page: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Sign in to this network</html>');
};

test('a page of a captive portal is not a response', async () => {
  const { client, received } = await serve(page, json(200, trader), page);
  expect(await client().traders.get('t1')).toEqual(trader);
  expect(received).toHaveLength(2);
  await expect(client({ retries: 0 }).traders.get('t1')).rejects.toThrow(ConnectionError);
  await expect(change(client({ retries: 0 }))).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(4);
});

test('an error with invalid JSON becomes an error of its status', async () => {
  const { client, received } = await serve((response) => {
    response.writeHead(403, { 'Content-Type': 'application/json' }).end('<html>Forbidden</html>');
  });
  await expect(client().traders.get('t1')).rejects.toMatchObject({ name: 'ForbiddenError', type: 'about:blank' });
  expect(received).toHaveLength(1);
});

test.each([
  [{ code: 'EHOSTUNREACH', syscall: 'connect' }, false],
  [{ code: 'EHOSTUNREACH', errors: [{ code: 'EHOSTUNREACH', syscall: 'connect' }] }, false],
  [{ code: 'EHOSTUNREACH', syscall: 'read' }, true],
  [{ code: 'ENETUNREACH', syscall: 'write' }, true],
])('after %j a request may have been carried out: %p', async (cause, isUnknown) => {
  const lost: typeof fetch = () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('lost'), cause) }));
  const { client } = await serve(json(201, {}));
  const failure = await catchFailure(change(client({ fetch: lost, retries: 0 })));
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(isOutcomeUnknown(failure)).toBe(isUnknown);
});

test.each([{ timeoutMs: NaN }, { timeoutMs: 0 }, { attemptTimeoutMs: -1 }, { retries: NaN }, { retries: -1 }])(
  '%p is refused',
  async (options) => {
    const { client } = await serve(json(200, trader));
    expect(() => client(options)).toThrow(TypeError);
  },
);

test('a permanent error is thrown at once, with all details of the response', async () => {
  const errors = [{ pointer: '#/assets/0/start', detail: 'is no bundle', code: 'bundle-start' }];
  const { client, received } = await serve(problem(404, 'not-found', { requestId: 'r1', errors }));
  const failure: unknown = await client()
    .traders.get('t1')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure).toMatchObject({
    name: 'NotFoundError',
    type: '/problems/not-found',
    status: 404,
    requestId: 'r1',
    code: 'bundle-start',
    errors,
  });
  expect(received).toHaveLength(1);
});

test('a redirect does not forward credentials', async () => {
  const other = await startServer(() => json(200, trader));
  try {
    const { client } = await serve((response) => {
      response.writeHead(307, { Location: `${other.url}/saleschannel-services/v1/traders/t1` });
      response.end();
    });
    await expect(client().traders.get('t1')).rejects.toMatchObject({ status: 307 });
    expect(other.received).toHaveLength(0);
  } finally {
    await other.stop();
  }
});
