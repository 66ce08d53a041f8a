import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keyHolders } from '@saleschannel/auth';
import { newId } from '@saleschannel/primitives';
import { callAs, catchFailure } from '@saleschannel/testing';
import { computeFingerprint, parseTransfer } from '../src/domain/transfer.ts';
import { ISSUANCE, offramp, priced, range, RETIREMENT, retirement, trade, type Scene } from './support/requests.ts';
import { toRefusal, startTasks, type Tasks } from './support/tasks.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

/** Texts of a retirement are trimmed, normalized to NFC, and visible. */

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

const PENDING = { status: 'PENDING', message: 'The task waits for the ledger.' };

describe('an accepted transfer becomes a task and is announced to the ledger:', () => {
  test('a trade', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const request = await trade(scene, { assets: priced('12.50', '0') }, { traceparent });
    const { task, replayed } = await tasks.start(request);
    expect(replayed).toBe(false);
    expect(task).toEqual({ ...PENDING, id: expect.any(String), idempotencyKey: request.idempotencyKey });
    expect(await tasks.waitForAnnouncement(task.id)).toEqual({
      idempotencyKey: expect.any(String),
      taskId: task.id,
      salesChannelId: scene.channel,
      type: 'TRADE',
      sellerId: scene.seller,
      buyerId: scene.buyer,
      autoApproval: true,
      actor: expect.objectContaining({ kind: 'user', salesChannelId: scene.channel }),
      currency: 'EUR',
      assets: [
        { start: `${ISSUANCE}_1`, end: `${ISSUANCE}_10`, unitPrice: '12.5' },
        { start: `${ISSUANCE}_11`, end: `${ISSUANCE}_20`, unitPrice: '0' },
      ],
      traceparent,
    });
  });

  test('a retirement, with prices and without', async () => {
    const { consumptionPeriod, ...details } = RETIREMENT;
    const plain = await tasks.start(await retirement(scene));
    expect(await tasks.waitForAnnouncement(plain.task.id)).toEqual({
      idempotencyKey: expect.any(String),
      taskId: plain.task.id,
      salesChannelId: scene.channel,
      type: 'RETIREMENT',
      sellerId: scene.seller,
      autoApproval: true,
      actor: expect.objectContaining({ kind: 'user', salesChannelId: scene.channel }),
      currency: null,
      retirement: {
        ...details,
        consumptionPeriodStart: consumptionPeriod.start,
        consumptionPeriodEnd: consumptionPeriod.end,
      },
      assets: [{ ...range(1, 5), unitPrice: null }],
      traceparent: '',
    });
    const inCurrency = await tasks.start(await retirement(scene, { currency: 'EUR' }));
    expect(await tasks.waitForAnnouncement(inCurrency.task.id)).toMatchObject({
      currency: 'EUR',
      assets: [{ unitPrice: null }],
    });
    const withPrices = await tasks.start(await retirement(scene, { assets: priced('1', '2.000001'), currency: 'USD' }));
    expect(await tasks.waitForAnnouncement(withPrices.task.id)).toMatchObject({
      currency: 'USD',
      assets: [{ unitPrice: '1' }, { unitPrice: '2.000001' }],
    });
  });

  test('an offramp', async () => {
    const { task } = await tasks.start(await offramp(scene));
    expect(await tasks.waitForAnnouncement(task.id)).toEqual({
      idempotencyKey: expect.any(String),
      taskId: task.id,
      salesChannelId: scene.channel,
      type: 'OFFRAMP',
      sellerId: scene.onboarded,
      sellerAccountHolderId: scene.holder,
      accountHolderId: scene.holder,
      autoApproval: true,
      actor: expect.objectContaining({ kind: 'user', salesChannelId: scene.channel }),
      assets: [{ ...range(1, 5), unitPrice: null }],
      traceparent: '',
    });
  });

  test('a trade of a seller that must approve, or whose account holder is unknown', async () => {
    tasks.neighbours.approving.add(scene.holder);
    const { task } = await tasks.start(await trade(scene, {}, { traderId: scene.onboarded }));
    expect(await tasks.waitForAnnouncement(task.id)).toMatchObject({ autoApproval: false });
    tasks.neighbours.traders.set(scene.onboarded, 'gone');
    const unknown = await tasks.start(await trade(scene, {}, { traderId: scene.onboarded }));
    expect(await tasks.waitForAnnouncement(unknown.task.id)).toMatchObject({ autoApproval: false });
  });
});

test('a period may end when it starts, across time zones', async () => {
  const consumptionPeriod = { start: '2024-01-01T02:00:00+02:00', end: '2024-01-01T00:00:00Z' };
  const { task } = await tasks.start(await retirement(scene, { consumptionPeriod }));
  expect(task.status).toBe('PENDING');
});

test('transfers of one call are independent, and results are in their order', async () => {
  const other = tasks.newScene();
  const { trade: _terms, ...withoutTerms } = await trade(scene);
  const transfers = [
    await trade(scene),
    { ...(await trade(scene)), principalToken: 'x' },
    await offramp(other),
    await trade(scene, { buyerId: 'nobody' }),
    await trade(scene, { assets: [] }),
    await retirement(other),
    await trade(scene, {}, { traderId: other.seller }),
    withoutTerms,
    await trade(scene, {}, { roles: [] }),
    await trade(other, { assets: priced(...Array<string>(1_000).fill('1')) }),
  ];
  const results = await tasks.startAll(transfers);
  expect(results.map((result) => result.task?.idempotencyKey ?? toRefusal(result).code)).toEqual([
    transfers[0]?.idempotencyKey,
    'unauthenticated',
    transfers[2]?.idempotencyKey,
    'request-refused',
    'invalid-request',
    transfers[5]?.idempotencyKey,
    'not-found',
    'invalid-request',
    'forbidden',
    transfers[9]?.idempotencyKey,
  ]);
  for (const { task } of results) if (task) expect((await tasks.waitForAnnouncement(task.id)).taskId).toBe(task.id);
});

/** The sandbox starts transfers on behalf of users. */
const callers = ['gateway', 'sandbox'];

test.each(keyHolders.filter((name) => !callers.includes(name)))('%s may not start transfers', async (name) => {
  const client = await callAs(name, 'tasks', tasks.service.address);
  expect(await catchFailure(client.StartTransfers({ transfers: [] }))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.GetTask({}))).toMatchObject({ code: 'forbidden' });
  client.close();
});
