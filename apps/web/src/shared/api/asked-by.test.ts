import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { askedBy } from './asked-by.ts';

test("what is opened is an act, and what is read again is nobody's, whatever else was opened before", () => {
  const client = new QueryClient();
  client.setQueryData(['endpoint', 'w1'], {});
  expect(askedBy({ client, queryKey: ['endpoint', 'w1'] })).toEqual({ 'X-Portal': 'background' });
  expect(askedBy({ client, queryKey: ['endpoint', 'w2'] })).toEqual({ 'X-Portal': '1' });
});
