import { describe, expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { createActivityHeaders, nextCursor } from './client.ts';
import { createNoResponseError, groupFaults, toApiError } from './problem.ts';
import { SingleFlight } from './queries.ts';

test('the first read is activity, and repeated reads are background', () => {
  const client = new QueryClient();
  client.setQueryData(['endpoint', 'w1'], {});
  expect(createActivityHeaders({ client, queryKey: ['endpoint', 'w1'] })).toEqual({ 'X-Portal': 'background' });
  expect(createActivityHeaders({ client, queryKey: ['endpoint', 'w2'] })).toEqual({ 'X-Portal': '1' });
});

test.each([
  ['</saleschannel-services/v1/traders?%24limit=5&%24after=abc>; rel="next"', 'abc'],
  ['</a?after=xyz>; rel=next', 'xyz'],
  ['</a?$after=1>; rel="prev", </a?$after=2>; title="x"; rel="next"', '2'],
  ['</a?$after=1>; rel="prev"', undefined],
  ['</a>; rel="next"', undefined],
  ['', undefined],
  [null, undefined],
])('the cursor in %p is %p', (link, cursor) => {
  expect(nextCursor(link)).toBe(cursor);
});

describe('an unsuccessful response', () => {
  const body = {
    type: '/problems/invalid-request',
    title: 'The request is not valid',
    status: 400,
    detail: 'The trader is not valid.',
    requestId: 'r1',
    errors: [
      { pointer: '#/address/city', detail: 'is too long', code: 'length' },
      { pointer: '#/assets/0/start', detail: 'is no certificate', code: 'format' },
      { parameter: 'Idempotency-Key', detail: 'belongs to another request', code: 'reused' },
      'nonsense',
    ],
  };

  test('separates errors of fields from other errors', () => {
    const { atFields, others } = groupFaults(toApiError(400, body, new Headers()), ['/name', '/address/city']);
    expect([...atFields]).toEqual([['/address/city', 'is too long']]);
    expect(others).toEqual(['/assets/0/start: is no certificate', 'Idempotency-Key: belongs to another request']);
  });

  test('has the retry delay and the request id', () => {
    const error = toApiError(503, { requestId: 'r2' }, new Headers({ 'Retry-After': '7' }));
    expect(error).toMatchObject({ retryAfterSeconds: 7, requestId: 'r2', isTransient: true, isSignedOut: false });
    expect(toApiError(503, {}, new Headers({ 'Retry-After': 'Wed, 21 Oct 2026' })).retryAfterSeconds).toBeUndefined();
  });

  test.each([undefined, null, 'a page of a proxy', { type: 7 }, []])('is also created from %p', (odd) => {
    expect(toApiError(502, odd, new Headers({ 'X-Request-Id': 'r3' }))).toMatchObject({
      status: 502,
      type: 'about:blank',
      requestId: 'r3',
      faults: [],
    });
  });

  test('with 401 ends the session, or requires a recent sign-in', () => {
    expect(toApiError(401, {}, new Headers())).toMatchObject({ isSignedOut: true, requiredSignIn: undefined });
    const challenge = 'Bearer error="insufficient_user_authentication", error_description="more recent", max_age="300"';
    const asked = (text: string) => toApiError(401, {}, new Headers({ 'WWW-Authenticate': text }));
    expect(asked(challenge)).toMatchObject({ isSignedOut: false, requiredSignIn: { maxAgeSeconds: 300 } });
    expect(asked(`${challenge}, acr_values="mfa phr"`).requiredSignIn).toEqual({
      maxAgeSeconds: 300,
      acrValues: 'mfa phr',
    });
    expect(asked('Bearer realm="saleschannel", error="invalid_token", max_age="300"').isSignedOut).toBe(true);
  });

  test('that was lost leaves the outcome unknown', () => {
    expect(createNoResponseError()).toMatchObject({ status: undefined, isTransient: false, isSignedOut: false });
    expect(groupFaults(new TypeError('broken'), ['/name'])).toEqual({ atFields: new Map(), others: [] });
  });
});

/** A latch whose reopening the test triggers. */
function createLatch() {
  const waiting: (() => void)[] = [];
  const latch = new SingleFlight((open) => void waiting.push(open));
  return { latch, openAll: () => waiting.splice(0).forEach((open) => open()) };
}

test('two actions in one tick run once', async () => {
  const { latch } = createLatch();
  let count = 0;
  const act = (): Promise<number> => Promise.resolve((count += 1));
  const [first, second] = [latch.run('create', act), latch.run('create', act)];
  expect([await first, second, count]).toEqual([1, undefined, 1]);
});

test('actions with different names run concurrently', async () => {
  const { latch } = createLatch();
  const started = ['grant a', 'grant b', 'grant a'].map((name) => latch.run(name, () => Promise.resolve(name)));
  expect(await Promise.all(started)).toEqual(['grant a', 'grant b', undefined]);
});

test.each([
  ['succeeded', () => Promise.resolve('done')],
  ['failed', () => Promise.reject(new Error('refused'))],
])('an action that has %s allows the next action after the page is notified', async (_end, act) => {
  const { latch, openAll } = createLatch();
  const next = () => latch.run('create', () => Promise.resolve('next'));
  await latch.run('create', act as () => Promise<string>)?.catch(() => undefined);
  expect(next()).toBeUndefined();
  openAll();
  await expect(next()).resolves.toBe('next');
});

test('reopens by itself by default', async () => {
  const latch = new SingleFlight();
  const act = (): Promise<string> => Promise.resolve('done');
  await latch.run('create', act);
  let next: Promise<string> | undefined;
  while (!next) {
    await new Promise((resolve) => void setImmediate(resolve));
    next = latch.run('create', act);
  }
  await expect(next).resolves.toBe('done');
});
