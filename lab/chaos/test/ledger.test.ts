import { expect, test } from '@jest/globals';
import { asset, findFindings, first, createCorrectRun, type Run } from './support/correct-run.ts';

/** One damage of the ledger breaks several sums. */
test.each<[string, readonly string[], (run: Run) => void]>([
  [
    'a bundle with a certificate missing',
    ['100 to 100 of i1 have no owner', 'add up to 1 more', 'inventory of t1'],
    ({ answers }) => {
      Object.assign(answers.certificates[2] ?? {}, { end: 'i1_99' });
    },
  ],
  [
    'a bundle with a certificate too many',
    ['are held, but not issued', 'add up to -1 more', 'inventory of t1'],
    ({ answers }) => {
      Object.assign(answers.certificates[2] ?? {}, { end: 'i1_101' });
    },
  ],
  [
    'a serial with two owners',
    ['Serial 10 of i1 has two owners: t2 and', 'add up to -1 more'],
    ({ answers }) => {
      answers.certificates.push({
        ...asset(10, 10),
        issuanceId: 'i1',
        ownerType: 'TRADER',
        ownerId: 't2',
        salesChannelId: 'c2',
        status: 'LISTABLE',
      });
    },
  ],
  [
    'a retired serial that still has an owner',
    ['Serial 20 of i1 has two owners: h1 and retirement x2', 'account holders add up to -1'],
    ({ answers }) => {
      Object.assign(answers.certificates[1] ?? {}, { start: 'i1_20' });
    },
  ],
  [
    'a change of owner without a transaction',
    ['i1 of t1 add up', 'i1 of t2 add up', 'inventory of t1', 'inventory of t2'],
    ({ answers }) => {
      first(answers.certificates).ownerId = 't1';
    },
  ],
  [
    'a bundle that was never issued',
    ['Certificates of i9 are held', 'i9 of t2 add up to -5'],
    ({ answers }) => {
      answers.certificates.push({
        start: 'i9_1',
        end: 'i9_5',
        issuanceId: 'i9',
        ownerType: 'TRADER',
        ownerId: 't2',
        salesChannelId: null,
        status: 'HELD',
      });
    },
  ],
])('the check finds %s', (_, texts, damage) => {
  const run = createCorrectRun();
  damage(run);
  const { wrong, ...others } = findFindings(run);
  expect(others).toEqual({ lost: [], doubled: [], reordered: [], missed: [] });
  expect(wrong.toSorted()).toEqual(expect.arrayContaining(texts.map((text) => expect.stringContaining(text))));
  expect(wrong).toHaveLength(texts.length);
});
