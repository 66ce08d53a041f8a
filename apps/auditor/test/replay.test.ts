import { expect, test } from '@jest/globals';
import { Replay, type ToldLine } from '../src/domain/replay.ts';

const line = (members: Partial<ToldLine>): ToldLine => ({
  issuanceId: 'issuance',
  transactionId: 'issue',
  type: 'ISSUANCE',
  status: 'SUCCESS',
  wasPending: false,
  createdAt: '2026-01-01T00:00:00.000',
  completedAt: '2026-01-01T00:00:00.000',
  salesChannelId: 'channel',
  sellerId: null,
  buyerId: 'seller',
  accountHolderId: null,
  bundleId: '1',
  first: '1',
  last: '100',
  sourceBundleId: null,
  sourceFirst: null,
  sourceLast: null,
  beforeBundleId: null,
  merges: null,
  ...members,
});
const trade = (members: Partial<ToldLine>): ToldLine =>
  line({ transactionId: 'trade', type: 'TRADE', sellerId: 'seller', buyerId: 'buyer', ...members });
const fromTheMiddle = trade({
  bundleId: '3',
  first: '41',
  last: '60',
  sourceBundleId: '1',
  sourceFirst: '1',
  sourceLast: '100',
  beforeBundleId: '2',
});

function told(...lines: ToldLine[]) {
  const replay = new Replay('by-time');
  const faults = lines.map((each) => replay.add(each));
  const bundles = replay.bundles().map(({ id, first, last, ownerId }) => `${id}: ${first} to ${last} of ${ownerId}`);
  return { fault: faults.find((fault) => fault !== undefined) ?? replay.end(), bundles };
}

test('what lies before a selection becomes a bundle of its owner', () => {
  expect(told(line({}), fromTheMiddle)).toEqual({
    fault: undefined,
    bundles: ['2: 1 to 40 of seller', '3: 41 to 60 of buyer', '1: 61 to 100 of seller'],
  });
});

test('a selection up to the end takes the number of the bundle', () => {
  expect(told(line({}), { ...fromTheMiddle, bundleId: '1', last: '100' })).toEqual({
    fault: undefined,
    bundles: ['2: 1 to 40 of seller', '1: 41 to 100 of buyer'],
  });
});

test.each<[string, Partial<ToldLine>]>([
  ['nothing is told of what lay before', { beforeBundleId: null }],
  ['what lay before is said to be another bundle', { beforeBundleId: '1' }],
  ['something lay before the beginning', { first: '1' }],
  ['it reaches beyond the end', { last: '101' }],
  ['it begins before the bundle', { first: '0' }],
])('it does not fit when %s', (_what, members) => {
  expect(told(line({}), { ...fromTheMiddle, ...members }).fault).toContain('TRADE trade takes');
});
