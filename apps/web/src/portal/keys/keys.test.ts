import { expect, test } from '@jest/globals';
import { findDescendants, findKeysExpiringSoon, creatorName, type Key } from './keys.ts';

const key = (id: string, madeWith: string | null): Key => ({
  id,
  kind: 'API',
  name: null,
  createdOn: '2026-01-01T00:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  lastUsedOn: null,
  madeWith,
});

test('descendants include keys of both kinds at every level', () => {
  const keys = [
    key('other', null),
    key('root', null),
    key('child', 'root'),
    { ...key('registry', 'child'), kind: 'REGISTRY' as const },
    key('orphan', 'elsewhere'),
  ];
  const idsOf = (id: string) => findDescendants({ id }, keys).map((each) => each.id);
  expect(idsOf('root')).toEqual(['child', 'registry']);
  expect(idsOf('child')).toEqual(['registry']);
  expect(idsOf('other')).toEqual([]);
});

test('shows the name of the creating key, or the id of a key of another user', () => {
  const keys = [{ ...key('root', null), name: 'Reporting job' }, key('nameless', null)];
  const makers = ['root', 'nameless', 'elsewhere', null].map((madeWith) => creatorName({ madeWith }, keys));
  expect(makers).toEqual(['Reporting job', 'nameless', 'elsewhere', null]);
});

const now = Date.parse('2026-03-01T00:00:00Z');
const expiring = (id: string, expiresAt: string) => ({ id, kind: 'API' as const, name: null, expiresAt });

test('lists keys that expire within thirty days, soonest first', () => {
  const keys = [
    expiring('in-thirty-days', '2026-03-31T00:00:00Z'),
    expiring('in-29-days', '2026-03-30T23:59:59Z'),
    expiring('tomorrow', '2026-03-02T00:00:00Z'),
    expiring('ended', '2026-02-28T23:59:59Z'),
  ];
  expect(findKeysExpiringSoon(keys, now).map(({ id }) => id)).toEqual(['tomorrow', 'in-29-days']);
});
