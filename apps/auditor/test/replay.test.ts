import { expect, test } from '@jest/globals';
import { Replay, type RecordedLine } from '../src/domain/replay.ts';

const line = (members: Partial<RecordedLine>): RecordedLine => ({
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
const trade = (members: Partial<RecordedLine>): RecordedLine =>
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

function replayLines(...lines: RecordedLine[]) {
  const replay = new Replay('by-time');
  const faults = lines.map((each) => replay.add(each));
  const bundles = replay.bundles().map(({ id, first, last, ownerId }) => `${id}: ${first} to ${last} of ${ownerId}`);
  return { fault: faults.find((fault) => fault !== undefined) ?? replay.end(), bundles };
}

test('certificates before a selection become a bundle of their owner', () => {
  expect(replayLines(line({}), fromTheMiddle)).toEqual({
    fault: undefined,
    bundles: ['2: 1 to 40 of seller', '3: 41 to 60 of buyer', '1: 61 to 100 of seller'],
  });
});

test('a selection up to the end keeps the id of the bundle', () => {
  expect(replayLines(line({}), { ...fromTheMiddle, bundleId: '1', last: '100' })).toEqual({
    fault: undefined,
    bundles: ['2: 1 to 40 of seller', '1: 41 to 100 of buyer'],
  });
});

test.each<[string, Partial<RecordedLine>]>([
  ['the bundle before it is missing', { beforeBundleId: null }],
  ['the bundle before it is another one', { beforeBundleId: '1' }],
  ['a bundle lies before the start of its source', { first: '1' }],
  ['it ends after its source', { last: '101' }],
  ['it starts before its source', { first: '0' }],
])('a trade does not fit if %s', (_reason, members) => {
  expect(replayLines(line({}), { ...fromTheMiddle, ...members }).fault).toContain('TRADE trade takes');
});
