import { expect, test } from '@jest/globals';
import { readWait } from '../handlers/tasks.ts';

test.each<[string | undefined, number | undefined]>([
  ['wait=5', 5],
  ['Wait = 5', 5],
  ['wait="5"', 5],
  ['wait=007', 7],
  ['respond-async, wait=5', 5],
  ['return=minimal; foo="a, wait=9";bar, wait=5;x=y', 5],
  ['"wait=9", wait=5', 5],
  ['foo="\\", wait=9", wait=5', 5],
  [',, wait=5', 5],
  // Node joins repeated headers.
  ['handling=lenient, wait=5', 5],
  // The first one counts, even if it is invalid.
  ['wait=3, wait=5', 3],
  ['wait=x, wait=5', undefined],
  ['wait=11', 10],
  [`wait=${'9'.repeat(400)}`, 10],
  [undefined, undefined],
  ['', undefined],
  ['wait', undefined],
  ['wait=', undefined],
  ['wait=0', undefined],
  ['wait=-1', undefined],
  ['wait=1.5', undefined],
  ['wait=1e1', undefined],
  ['wait=5s', undefined],
  ['wait="5', undefined],
  ['respond-async; wait=5', undefined],
  ['await=5', undefined],
  ['foo="wait=5"', undefined],
  [`a="${'\\"'.repeat(8_000)}, wait=5`, undefined],
])('%j means %j seconds', (header, seconds) => {
  expect(readWait(header)).toBe(seconds);
});
