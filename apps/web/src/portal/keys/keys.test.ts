import { expect, test } from '@jest/globals';
import { descendantsOf, makerOf, type Key } from './keys.ts';

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

test('the key that a key was made with is called by its name, and one of somebody else by its id', () => {
  const keys = [{ ...key('root', null), name: 'Reporting job' }, key('nameless', null)];
  const makers = ['root', 'nameless', 'elsewhere', null].map((madeWith) => makerOf({ madeWith }, keys));
  expect(makers).toEqual(['Reporting job', 'nameless', 'elsewhere', null]);
});
