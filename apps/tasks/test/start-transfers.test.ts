import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { asRegistry, callAs, failureOf, serviceNames } from '@saleschannel/testing';
import type { StartTransfer } from '@saleschannel/contracts/gen/tasks/v1/StartTransfer';
import {
  announcementOf,
  ISSUANCE,
  newScene,
  offramp,
  refusalOf,
  refused,
  retirement,
  RETIREMENT,
  start,
  startAll,
  startTasks,
  trade,
  type Scene,
  type TestTasks,
} from './support.ts';

let tasks: TestTasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = newScene(tasks);
});
afterAll(() => tasks.stop());

const priced = (...prices: (string | undefined)[]) =>
  prices.map((unitPrice, index) => ({
    start: `${ISSUANCE}_${index * 10 + 1}`,
    end: `${ISSUANCE}_${index * 10 + 10}`,
    ...(unitPrice === undefined ? {} : { unitPrice }),
  }));
const PENDING = { status: 'PENDING', message: 'The task is waiting to be picked up.' };

describe('an accepted transfer is a task, and is announced to the ledger:', () => {
  test('a trade', async () => {
    const request = await trade(scene, {
      assets: priced('12.50', '0'),
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    const { task, replayed } = await start(tasks, request);
    expect(replayed).toBe(false);
    expect(task).toEqual({ ...PENDING, id: expect.any(String), idempotencyKey: request.idempotencyKey });
    expect(await announcementOf(tasks, task.id)).toEqual({
      taskId: task.id,
      salesChannelId: scene.channel,
      type: 'TRADE',
      sellerId: scene.seller,
      sellerAccountHolderId: null,
      buyerId: scene.buyer,
      autoApproval: true,
      currency: 'EUR',
      retirement: null,
      assets: [
        { start: `${ISSUANCE}_1`, end: `${ISSUANCE}_10`, unitPrice: '12.5' },
        { start: `${ISSUANCE}_11`, end: `${ISSUANCE}_20`, unitPrice: '0' },
      ],
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
  });

  test('a retirement, with prices and without', async () => {
    const plain = await start(tasks, await retirement(scene));
    expect(await announcementOf(tasks, plain.task.id)).toMatchObject({
      type: 'RETIREMENT',
      buyerId: null,
      currency: null,
      retirement: RETIREMENT,
      assets: [{ unitPrice: null }],
    });
    const withPrices = await start(
      tasks,
      await retirement(scene, { assets: priced('1', '2.000001'), currency: 'USD' }),
    );
    expect(await announcementOf(tasks, withPrices.task.id)).toMatchObject({
      currency: 'USD',
      assets: [{ unitPrice: '1' }, { unitPrice: '2.000001' }],
    });
  });

  test('an offramp', async () => {
    const { task } = await start(tasks, await offramp(scene));
    expect(await announcementOf(tasks, task.id)).toMatchObject({
      type: 'OFFRAMP',
      sellerId: scene.onboarded,
      sellerAccountHolderId: scene.holder,
      buyerId: null,
      currency: null,
      autoApproval: true,
    });
  });

  test('of a seller who wants to approve, or whose account holder is not known any more', async () => {
    tasks.neighbours.asking.add(scene.holder);
    const { task } = await start(tasks, await trade(scene, { traderId: scene.onboarded }));
    expect(await announcementOf(tasks, task.id)).toMatchObject({ autoApproval: false });
    tasks.neighbours.traders.set(scene.onboarded, 'gone');
    const unknown = await start(tasks, await trade(scene, { traderId: scene.onboarded }));
    expect(await announcementOf(tasks, unknown.task.id)).toMatchObject({ autoApproval: false });
  });
});

describe('refused with', () => {
  test('unauthenticated: a bad token of the caller', async () => {
    expect(await refused(tasks, { ...(await trade(scene)), principalToken: 'x' })).toMatchObject({
      code: 'unauthenticated',
    });
    expect(await refused(tasks, { ...(await trade(scene)), principalToken: '' })).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('forbidden: another role, no binding, a registry key', async () => {
    expect(
      await refused(tasks, await trade(scene, { roles: ['ASSET_OFFRAMPER', 'ASSET_VIEWER', 'TRADER_ADMINISTRATOR'] })),
    ).toMatchObject({ code: 'forbidden' });
    expect(await refused(tasks, await retirement(scene, { roles: ['ASSET_OFFRAMPER'] }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await refused(tasks, await offramp(scene, { roles: ['TRANSACTION_ADMINISTRATOR'] }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await refused(tasks, await trade(scene, { salesChannelId: undefined }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await refused(tasks, { ...(await trade(scene)), ...(await asRegistry()) })).toMatchObject({
      code: 'forbidden',
    });
  });

  test.each<[string, () => Promise<StartTransfer>, string[]]>([
    ['no key', () => trade(scene, { idempotencyKey: '' }), ['Idempotency-Key pattern']],
    ['a key of 65 characters', () => trade(scene, { idempotencyKey: 'k'.repeat(65) }), ['Idempotency-Key pattern']],
    ['a key with a space', () => trade(scene, { idempotencyKey: 'a b' }), ['Idempotency-Key pattern']],
    ['a key with a line end', () => trade(scene, { idempotencyKey: 'a\n' }), ['Idempotency-Key pattern']],
    ['a key that is no ASCII', () => trade(scene, { idempotencyKey: 'é' }), ['Idempotency-Key pattern']],
    ['no assets', () => trade(scene, { assets: [] }), ['#/assets length']],
    ['1,001 assets', () => trade(scene, { assets: priced(...Array<string>(1_001).fill('1')) }), ['#/assets length']],
    ['another currency', () => trade(scene, { currency: 'GBP' }), ['#/currency enum']],
    [
      'a price of seven fraction digits, and one below zero',
      () => trade(scene, { assets: priced('1', '0.0000001', '-1') }),
      ['#/assets/1/unitPrice unit-price-fraction', '#/assets/2/unitPrice unit-price-range'],
    ],
    [
      'a price that is no number',
      () => trade(scene, { assets: priced('ten') }),
      ['#/assets/0/unitPrice unit-price-form'],
    ],
    ['a trade without a buyer', () => trade(scene, { buyerId: undefined as never }), ['#/buyerId required']],
    ['an offramp with a buyer', () => offramp(scene, { buyerId: scene.buyer }), ['#/buyerId unexpected']],
    [
      'a retirement without what it is for',
      () => retirement(scene, { retirement: undefined as never }),
      ['#/retirementPurpose required'],
    ],
    ['a trade with a purpose', () => trade(scene, { retirement: RETIREMENT }), ['#/retirementPurpose unexpected']],
    [
      'a country in lower case',
      () => retirement(scene, { retirement: { ...RETIREMENT, consumptionCountryCode: 'gb' } }),
      ['#/consumptionCountryCode pattern'],
    ],
    [
      'empty texts',
      () => retirement(scene, { retirement: { ...RETIREMENT, beneficiaryLocation: '', retirementPurpose: '' } }),
      ['#/beneficiaryLocation length', '#/retirementPurpose length'],
    ],
    [
      'a period of no dates',
      () => retirement(scene, { retirement: { ...RETIREMENT, consumptionPeriodEnd: 'soon' } }),
      ['#/consumptionPeriod/end format'],
    ],
  ])('invalid-request: %s', async (_name, request, violations) => {
    expect(await refused(tasks, await request())).toMatchObject({ code: 'invalid-request', violations });
  });

  test('invalid-request: an operation that nobody knows', async () => {
    expect(await refused(tasks, await trade(scene, { operation: 7 as never }))).toMatchObject({
      code: 'invalid-request',
    });
  });

  test("not-found: a trader that does not exist, and another channel's, alike", async () => {
    const other = newScene(tasks);
    const answers = [
      await refused(tasks, await trade(scene, { traderId: 'nobody' })),
      await refused(tasks, await trade(scene, { traderId: other.seller })),
    ];
    expect(answers[0]).toMatchObject({ code: 'not-found', violations: [] });
    expect(answers[1]).toEqual(answers[0]);
    // Before anything that the request means.
    expect(
      await refused(tasks, await trade(scene, { traderId: 'nobody', buyerId: 'nobody', currency: undefined as never })),
    ).toEqual(answers[0]);
  });

  test.each<[string, () => Promise<StartTransfer>, string[]]>([
    ['an unknown buyer', () => trade(scene, { buyerId: 'nobody' }), ['#/buyerId buyer-unknown']],
    ["another channel's buyer", () => trade(scene, { buyerId: newScene(tasks).buyer }), ['#/buyerId buyer-unknown']],
    ['the seller as buyer', () => trade(scene, { buyerId: scene.seller }), ['#/buyerId buyer-is-seller']],
    [
      'a trade without a currency',
      () => trade(scene, { currency: undefined as never }),
      ['#/currency currency-missing'],
    ],
    [
      'a trade without prices',
      () => trade(scene, { assets: priced(undefined, '1') }),
      ['#/assets/0/unitPrice price-missing'],
    ],
    [
      'a trade without any price',
      () => trade(scene, { assets: priced(undefined) }),
      ['#/assets/0/unitPrice price-missing', '#/currency currency-unexpected'],
    ],
    [
      'a retirement with some prices',
      () => retirement(scene, { assets: priced('1', undefined), currency: 'EUR' }),
      ['#/assets/1/unitPrice price-missing'],
    ],
    [
      'a retirement with prices and no currency',
      () => retirement(scene, { assets: priced('1') }),
      ['#/currency currency-missing'],
    ],
    [
      'a retirement with a currency and no prices',
      () => retirement(scene, { currency: 'EUR' }),
      ['#/currency currency-unexpected'],
    ],
    [
      'an offramp with prices',
      () => offramp(scene, { assets: priced('1'), currency: 'EUR' }),
      ['#/assets price-unexpected'],
    ],
    ['an offramp with a currency', () => offramp(scene, { currency: 'EUR' }), ['#/currency currency-unexpected']],
    [
      'a period that ends before it starts',
      () => retirement(scene, { retirement: { ...RETIREMENT, consumptionPeriodEnd: '2023-12-31T23:59:59.999Z' } }),
      ['#/consumptionPeriod/start period-order'],
    ],
    [
      'an offramp of a trader that was not onboarded',
      () => offramp(scene, { traderId: scene.seller }),
      ['traderId not-onboarded'],
    ],
  ])('request-refused: %s', async (_name, request, violations) => {
    expect(await refused(tasks, await request())).toMatchObject({ code: 'request-refused', violations });
  });

  test('request-refused: what the ledger says of the selections, each at its place', async () => {
    const fault = { code: 'bundle-start', detail: 'No listable bundle of this owner starts with this certificate.' };
    tasks.neighbours.faults
      .set(`${ISSUANCE}_77001`, fault)
      .set(`${ISSUANCE}_77002`, { code: 'bundle-end', detail: 'The bundle ends earlier.' });
    const assets = [...priced('1'), { start: `${ISSUANCE}_77001`, end: `${ISSUANCE}_77002`, unitPrice: '1' }];
    expect(await refused(tasks, await trade(scene, { assets }))).toEqual({
      code: 'request-refused',
      detail: 'The selection does not hold.',
      violations: ['#/assets/1/start bundle-start', '#/assets/1/end bundle-end'],
    });
  });
});

test('a period of one moment is allowed, and offsets count', async () => {
  const moment = {
    ...RETIREMENT,
    consumptionPeriodStart: '2024-01-01T02:00:00+02:00',
    consumptionPeriodEnd: '2024-01-01T00:00:00Z',
  };
  expect((await start(tasks, await retirement(scene, { retirement: moment }))).task.status).toBe('PENDING');
});

test('requests of one call do not depend on each other, and are answered in their order', async () => {
  const other = newScene(tasks);
  const transfers = [
    await trade(scene),
    { ...(await trade(scene)), principalToken: 'x' },
    await offramp(other),
    await trade(scene, { buyerId: 'nobody' }),
    await trade(scene, { assets: [] }),
    await retirement(other),
    await trade(scene, { traderId: other.seller }),
    await trade(scene, { operation: 9 as never }),
    await trade(scene, { roles: [] }),
    await trade(other, { assets: priced(...Array<string>(1_000).fill('1')) }),
  ];
  const results = await startAll(tasks, transfers);
  expect(results.map((result) => result.task?.idempotencyKey ?? refusalOf(result).code)).toEqual([
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
  for (const { task } of results) if (task) expect((await announcementOf(tasks, task.id)).taskId).toBe(task.id);
});

test.each(serviceNames.filter((name) => name !== 'gateway'))('is not for %s', async (name) => {
  const client = await callAs(name, services.tasks, tasks.service.address);
  expect(await failureOf(client.StartTransfers({ transfers: [] }))).toMatchObject({ code: 'forbidden' });
  client.close();
});
