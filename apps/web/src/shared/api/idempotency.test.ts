import { expect, test } from '@jest/globals';
import { RequestKeys } from './idempotency.ts';

test('a request keeps its key until it is answered, and another request has another', () => {
  const keys = new RequestKeys();
  const first = keys.keyFor({ volume: 1 });
  expect(keys.keyFor({ volume: 1 })).toBe(first);
  expect(keys.keyFor({ volume: 2 })).not.toBe(first);
  keys.answered({ volume: 1 });
  expect(keys.keyFor({ volume: 1 })).not.toBe(first);
});
