import { expect, test } from '@jest/globals';
import { describeFact, factPath } from './paths.ts';

test.each([
  ['userId', 'u1', '/users/u1'],
  ['accountHolderId', 'a/b', '/holders/a%2Fb'],
  ['salesChannelId', 'c1', '/channels?name=c1'],
  ['businessId', 'FI-1', '/holders?businessId=FI-1'],
  ['importId', 'i1', '/imports/i1'],
  ['traderId', 't 1', '/search?q=t+1'],
  ['status', 'ACTIVE', undefined],
  ['constructor', 'x', undefined],
])('the fact %s %s links to %s', (name, value, path) => {
  expect(factPath(name, value)).toBe(path);
});

test.each([
  ['registeredOn', '2026-11-22T20:09:31.677Z', ['Registered on', '2026-11-22 20:09 UTC']],
  ['name', 'Nordlys AS', ['Name', 'Nordlys AS']],
])('the fact %s %s is shown as %j', (name, value, expected) => {
  expect(describeFact(name, value)).toEqual(expected);
});
