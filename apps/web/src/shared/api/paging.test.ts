import { expect, test } from '@jest/globals';
import { nextCursor } from './paging.ts';

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
