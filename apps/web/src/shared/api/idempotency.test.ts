import { expect, test } from '@jest/globals';
import { sendWithKey } from './idempotency.ts';

const URL_OF_KEYS = 'http://portal.test/api/keys';

function tab() {
  const kept = new Map<string, string>();
  const store = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  const keys: (string | null)[] = [];
  /** Sends a request and gives it an answer. Undefined: the answer is lost. */
  const post = async (body: string | undefined, status: number | undefined, url = URL_OF_KEYS): Promise<void> => {
    const request = new Request(url, { method: 'POST', body: body ?? null });
    await sendWithKey(request, store, (sent) => {
      keys.push(sent.headers.get('Idempotency-Key'));
      return status === undefined ? Promise.reject(new Error('lost')) : Promise.resolve(new Response(null, { status }));
    }).catch(() => undefined);
  };
  return { kept, keys, post };
}

test.each([undefined, 401, 403, 429, 500, 503, 504])(
  'after %p the same request carries the same key until it succeeds',
  async (status) => {
    const { keys, kept, post } = tab();
    await post('{"volume":1}', status);
    expect(kept.size).toBe(1);
    await post('{"volume":1}', 201);
    await post('{"volume":1}', 201);
    const [first, again, next] = keys;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    expect(next).not.toBe(first);
    expect(kept.size).toBe(0);
  },
);

test('other requests have other keys: by body, by address, with and without a body', async () => {
  const { keys, post } = tab();
  await post('{"volume":1}', undefined);
  await post('{"volume":2}', undefined);
  await post('{"volume":1}', undefined, `${URL_OF_KEYS}/registry`);
  await post(undefined, undefined);
  expect(new Set(keys).size).toBe(4);
});

test('a request that is refused for what it says leaves no key behind', async () => {
  const { kept, post } = tab();
  await post('{}', 400);
  expect(kept.size).toBe(0);
});

test('nothing of the body is stored', async () => {
  const { kept, post } = tab();
  await post('{"token":"very-secret"}', undefined);
  expect(JSON.stringify([...kept])).not.toContain('very-secret');
});
