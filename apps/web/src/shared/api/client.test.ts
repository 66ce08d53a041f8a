import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { createActivityHeaders, nextCursor } from './client.ts';

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
