import { expect, test } from '@jest/globals';
import { pathOfFact } from './paths.ts';

test.each([
  ['userId', 'u1', '/users/u1'],
  ['accountHolderId', 'a/b', '/holders/a%2Fb'],
  ['salesChannelId', 'c1', '/channels?name=c1'],
  ['importId', 'i1', '/imports/i1'],
  ['traderId', 't 1', '/search?q=t+1'],
  ['status', 'ACTIVE', undefined],
  ['constructor', 'x', undefined],
])('the fact %s %s leads to %s', (name, value, path) => {
  expect(pathOfFact(name, value)).toBe(path);
});
