import { expect, test } from '@jest/globals';
import { furtherRequests } from './cost.ts';

test.each([
  ['a usual request', { bodyBytes: 16_383, threadMs: 0.49, readMs: 9.9 }, 0],
  ['bytes', { bodyBytes: 16_384 * 3, threadMs: 0, readMs: 0 }, 3],
  ['more bytes than are read', { bodyBytes: 1e12, threadMs: 0, readMs: 0 }, 64],
  ['time of the thread', { bodyBytes: 0, threadMs: 2.6, readMs: 0 }, 5],
  ['time of a read', { bodyBytes: 0, threadMs: 0, readMs: 34 }, 3],
  ['a read that mostly waits', { bodyBytes: 0, threadMs: 0, readMs: 60_000 }, 100],
  ['all of them', { bodyBytes: 16_384, threadMs: 0.5, readMs: 10 }, 3],
])('%s', (_name, cost, further) => {
  expect(furtherRequests(cost)).toBe(further);
});
