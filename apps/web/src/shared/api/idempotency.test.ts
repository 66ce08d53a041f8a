import { expect, test } from '@jest/globals';
import { describeBody, createSecret, sendChange } from './idempotency.ts';

const URL_OF_KEYS = 'http://portal.test/api/keys';
const KEY = /^[0-9a-f-]{36}$/;

interface Posted {
  readonly method?: string;
  readonly url?: string;
  readonly key?: string;
  readonly bodyName?: string;
  /** Runs during the request. */
  meanwhile?(): Promise<void>;
}

function createTab() {
  const kept = new Map<string, string>();
  const store = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  const clock = { now: 0 };
  const keys: (string | null)[] = [];
  /** Sends a request and answers it. With undefined, the response is lost. */
  const post = async (
    body: string | undefined,
    status: number | undefined,
    { method = 'POST', url = URL_OF_KEYS, key, bodyName, meanwhile }: Posted = {},
  ): Promise<void> => {
    const headers = { ...(key !== undefined && { 'Idempotency-Key': key }) };
    const request = new Request(url, { method, headers, body: body ?? null });
    const send = async (sent: Request): Promise<Response> => {
      keys.push(sent.headers.get('Idempotency-Key'));
      await meanwhile?.();
      if (status === undefined) throw new Error('lost');
      return new Response(null, { status });
    };
    await sendChange(request, { store, send, now: () => clock.now, bodyName }).catch(() => undefined);
  };
  return { kept, keys, post, clock, store };
}

test.each([undefined, 401, 403, 429, 500, 503, 504])(
  'after %p the same request keeps its key until it succeeds',
  async (status) => {
    const { keys, kept, post } = createTab();
    await post('{"volume":1}', status);
    expect(kept.size).toBe(1);
    await post('{"volume":1}', 201);
    await post('{"volume":1}', 201);
    const [first, again, next] = keys;
    expect(first).toMatch(KEY);
    expect(again).toBe(first);
    expect(next).not.toBe(first);
    expect(kept.size).toBe(0);
  },
);

test('requests differ in keys by body and address, with and without a body', async () => {
  const { keys, post } = createTab();
  await post('{"volume":1}', undefined);
  await post('{"volume":2}', undefined);
  await post('{"volume":1}', undefined, { url: `${URL_OF_KEYS}/registry` });
  await post(undefined, undefined);
  expect(new Set(keys).size).toBe(4);
});

test('an invalid request leaves no key behind', async () => {
  const { keys, post } = createTab();
  await post('{"volume":2}', undefined);
  await post('{}', 400);
  await post('{}', undefined);
  await post('{"volume":2}', undefined);
  expect(keys[2]).not.toBe(keys[1]);
  expect(keys[3]).toBe(keys[0]);
});

test('the body is not stored', async () => {
  const { kept, post } = createTab();
  await post('{"token":"very-secret"}', undefined);
  expect(JSON.stringify([...kept])).not.toContain('very-secret');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'another successful %s drops the keys, and a failed one does not',
  async (method) => {
    const { keys, post } = createTab();
    const other = { method, url: `${URL_OF_KEYS}/1` };
    await post(undefined, undefined);
    await post(undefined, 503, other);
    await post(undefined, undefined);
    await post(undefined, 200, other);
    await post(undefined, undefined);
    const [first, , again, , next] = keys;
    expect(again).toBe(first);
    expect(next).not.toBe(first);
  },
);

test('the key of a request in progress survives another change', async () => {
  const { keys, post } = createTab();
  await post('{}', undefined, { meanwhile: () => post(undefined, 200, { method: 'DELETE' }) });
  await post('{}', 201);
  expect(keys).toEqual([keys[0], null, keys[0]]);
});

test('a key expires ten minutes after its last use', async () => {
  const { keys, post, clock } = createTab();
  await post('{}', undefined);
  clock.now += 9 * 60_000;
  await post('{}', undefined);
  clock.now += 9 * 60_000;
  await post('{}', undefined);
  clock.now += 10 * 60_000;
  await post('{}', undefined);
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test('a request with its own key keeps it, and none is stored', async () => {
  const { keys, kept, post } = createTab();
  await post('{}', undefined, { key: 'own' });
  expect([keys, kept.size]).toEqual([['own'], 0]);
});

test('a file is identified by name, size and time, without reading it', async () => {
  const file = (text: string, name: string, lastModified: number) =>
    describeBody(new File([text], name, { lastModified }));
  const names = [file('ab', 'a', 1), file('ab', 'b', 1), file('abc', 'a', 1), file('ab', 'a', 2)];
  expect(new Set(names).size).toBe(4);
  expect(file('cd', 'a', 1)).toBe(names[0]);
  expect(describeBody(new Blob(['ab']))).toBeUndefined();

  const { store } = createTab();
  const request = new Request(URL_OF_KEYS, { method: 'POST', body: 'four gigabytes' });
  request.clone = () => {
    throw new Error('The body was read.');
  };
  const send = () => Promise.resolve(new Response());
  await sendChange(request, { store, send, now: Date.now, bodyName: names[0] });
  expect(request.headers.get('Idempotency-Key')).toMatch(KEY);
});

/** An API that returns the same secret again under the same `Idempotency-Key`. */
function createKeyApi() {
  const { store, clock } = createTab();
  const idByKey = new Map<string, string>();
  const existing = new Set<string>();
  let isResponseLost = false;
  const answer = (request: Request): Promise<Response> => {
    const key = String(request.headers.get('Idempotency-Key'));
    const replayed = idByKey.has(key);
    const id = idByKey.get(key) ?? `key-${idByKey.size + 1}`;
    if (!replayed) existing.add(id);
    idByKey.set(key, id);
    const headers = { ...(replayed && { 'Idempotency-Replayed': 'true' }) };
    return isResponseLost ? Promise.reject(new Error('lost')) : Promise.resolve(new Response(id, { headers }));
  };
  const create = async () => {
    const request = new Request(URL_OF_KEYS, { method: 'POST' });
    const response = await sendChange(request, { store, send: answer, now: () => clock.now });
    return { data: await response.text(), headers: response.headers };
  };
  return {
    existing,
    create: () => createSecret(create, (id) => Promise.resolve(existing.has(id))),
    async loseResponse() {
      isResponseLost = true;
      await create().catch(() => undefined);
      isResponseLost = false;
    },
  };
}

test('after a lost response the secret is returned, if its key still exists', async () => {
  const { existing, create, loseResponse } = createKeyApi();
  await loseResponse();
  expect(await create()).toBe('key-1');
  expect([...existing]).toEqual(['key-1']);
});

test('after a lost response and a deletion elsewhere a new secret is created', async () => {
  const { existing, create, loseResponse } = createKeyApi();
  await loseResponse();
  existing.delete('key-1');
  expect(await create()).toBe('key-2');
  expect([...existing]).toEqual(['key-2']);
});
