import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { computeFingerprint, parseTransfer } from '../src/domain/transfer.ts';
import { range, retirement, trade, type Scene } from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';

/** Texts of a retirement are trimmed, normalized to NFC, and visible. */

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const COMPOSED = 'Ångström Fährdienste';
/** Computed by a release without normalization. */
const FINGERPRINT = '165d0cc2dcdbc5bbfe1df929f86bacaca004c6fbaca464045ccd60921c4d0c91';
const DECOMPOSED = COMPOSED.normalize('NFD');

describe.each([' ', '\ufeff', '\u200b'])('a text of %j', (text) => {
  test.each(['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose'])('is refused as %s', async (member) => {
    expect(await tasks.startRefused(await retirement(scene, { [member]: text }))).toMatchObject({
      code: 'invalid-request',
      violations: [`#/${member} blank`],
    });
  });

  test('is refused as a reference, and kept in metadata', async () => {
    expect(await tasks.startRefused(await trade(scene, {}, { externalReference: text }))).toMatchObject({
      code: 'invalid-request',
      violations: ['#/externalReference blank'],
    });
    const metadata = { note: text, decomposed: ` ${DECOMPOSED}` };
    const { task } = await tasks.start(await trade(scene, {}, { metadata }));
    expect(await tasks.waitForAnnouncement(task.id)).toMatchObject({ metadata });
  });
});

test('the ledger receives trimmed and composed texts, and a request in another Unicode form is a retry', async () => {
  const idempotencyKey = newId();
  const terms = (text: string) => ({ beneficiaryName: text, beneficiaryLocation: text, retirementPurpose: text });
  const fields = { idempotencyKey, externalReference: COMPOSED };
  const first = await tasks.start(await retirement(scene, terms(COMPOSED), fields));
  const other = { idempotencyKey, externalReference: `${DECOMPOSED}\u200d ` };
  const again = await tasks.start(await retirement(scene, terms(` ${DECOMPOSED}\u200b`), other));
  expect(again).toMatchObject({ task: { id: first.task.id }, replayed: true });
  expect(await tasks.waitForAnnouncement(first.task.id)).toMatchObject({
    externalReference: COMPOSED,
    retirement: terms(COMPOSED),
  });
});

test('a normalized request has the fingerprint of releases without normalization', () => {
  const request = {
    traderId: 'trader-1',
    idempotencyKey: 'key-1',
    externalReference: 'PO-4711',
    metadata: { project: ' Fjord ' },
    retirement: {
      assets: [{ range: range(1, 5) }],
      beneficiaryName: COMPOSED,
      beneficiaryLocation: 'Bergen, Norway',
      beneficiaryType: 'END_CONSUMER',
      consumptionCountryCode: 'NO',
      usageType: 'DISCLOSURE',
      consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2024-12-31T00:00:00Z' },
      retirementPurpose: 'Travel of 2024',
    },
  };
  expect(computeFingerprint(parseTransfer('RETIREMENT', request))).toBe(FINGERPRINT);
});

test('the name of a beneficiary may be empty', async () => {
  const { task } = await tasks.start(await retirement(scene, { beneficiaryName: '' }));
  expect(await tasks.waitForAnnouncement(task.id)).toMatchObject({ retirement: { beneficiaryName: '' } });
});
