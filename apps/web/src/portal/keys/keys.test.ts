import { expect, test } from '@jest/globals';
import { descendantsOf, type Key } from './keys.ts';

const key = (id: string, madeWith: string | null): Key => ({
  id,
  kind: 'API',
  name: null,
  createdOn: '2026-01-01T00:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  lastUsedOn: null,
  madeWith,
});

test('descendants are the keys made with a key, and those made with these, of both kinds', () => {
  const keys = [
    key('other', null),
    key('root', null),
    key('child', 'root'),
    { ...key('registry', 'child'), kind: 'REGISTRY' as const },
    key('orphan', 'elsewhere'),
  ];
  const idsOf = (id: string) => descendantsOf({ id }, keys).map((each) => each.id);
  expect(idsOf('root')).toEqual(['child', 'registry']);
  expect(idsOf('child')).toEqual(['registry']);
  expect(idsOf('other')).toEqual([]);
});
