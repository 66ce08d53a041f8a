import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asRegistry } from '@saleschannel/testing';
import {
  ISSUANCE,
  offramp,
  priced,
  range,
  RETIREMENT,
  retirement,
  trade,
  type Scene,
  type StartTransfer,
} from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

describe('refused with', () => {
  test('unauthenticated: an invalid principal token', async () => {
    expect(await tasks.startRefused({ ...(await trade(scene)), principalToken: 'x' })).toMatchObject({
      code: 'unauthenticated',
    });
    expect(await tasks.startRefused({ ...(await trade(scene)), principalToken: '' })).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('forbidden: another role, no binding, a registry key', async () => {
    expect(
      await tasks.startRefused(
        await trade(scene, {}, { roles: ['ASSET_OFFRAMPER', 'ASSET_VIEWER', 'TRADER_ADMINISTRATOR'] }),
      ),
    ).toMatchObject({ code: 'forbidden' });
    expect(await tasks.startRefused(await retirement(scene, {}, { roles: ['ASSET_OFFRAMPER'] }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await tasks.startRefused(await offramp(scene, {}, { roles: ['TRANSACTION_ADMINISTRATOR'] }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await tasks.startRefused(await trade(scene, {}, { isUnbound: true }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await tasks.startRefused({ ...(await trade(scene)), ...(await asRegistry()) })).toMatchObject({
      code: 'forbidden',
    });
  });

  test('sales-channel-suspended: every transfer of a user with the role', async () => {
    const fields = { isSuspended: true };
    for (const request of [trade(scene, {}, fields), retirement(scene, {}, fields), offramp(scene, {}, fields)])
      expect(await tasks.startRefused(await request)).toMatchObject({ code: 'sales-channel-suspended' });
    const withoutRole = { ...fields, roles: ['ASSET_VIEWER'] as const };
    expect(await tasks.startRefused(await trade(scene, {}, withoutRole))).toMatchObject({ code: 'forbidden' });
  });

  test('account-holder-suspended: transfers from and to its trader', async () => {
    const { onboarded: traderId, seller } = scene;
    tasks.neighbours.suspended.add(scene.holder);
    const refusal = { code: 'request-refused', violations: ['traderId account-holder-suspended'] };
    for (const request of [
      trade(scene, { buyerId: seller }, { traderId }),
      retirement(scene, {}, { traderId }),
      offramp(scene),
    ])
      expect(await tasks.startRefused(await request)).toMatchObject(refusal);
    expect(await tasks.startRefused(await trade(scene, { buyerId: traderId }))).toMatchObject({
      code: 'request-refused',
      violations: ['#/buyerId account-holder-suspended'],
    });
    tasks.neighbours.suspended.delete(scene.holder);
    await tasks.start(await trade(scene, { buyerId: traderId }));
  });

  test.each<[string, () => Promise<StartTransfer>, string[]]>([
    ['no key', () => trade(scene, {}, { idempotencyKey: '' }), ['Idempotency-Key pattern']],
    ['a key of 65 characters', () => trade(scene, {}, { idempotencyKey: 'k'.repeat(65) }), ['Idempotency-Key pattern']],
    ['a key with a space', () => trade(scene, {}, { idempotencyKey: 'a b' }), ['Idempotency-Key pattern']],
    ['a key with a line end', () => trade(scene, {}, { idempotencyKey: 'a\n' }), ['Idempotency-Key pattern']],
    ['a key outside ASCII', () => trade(scene, {}, { idempotencyKey: 'é' }), ['Idempotency-Key pattern']],
    ['no assets', () => trade(scene, { assets: [] }), ['#/assets minItems']],
    ['1,001 assets', () => trade(scene, { assets: priced(...Array<string>(1_001).fill('1')) }), ['#/assets maxItems']],
    ['an asset without a range', () => trade(scene, { assets: [{ unitPrice: '1' }] }), ['#/assets/0 type']],
    [
      'an asset that starts with an invalid certificate',
      () => trade(scene, { assets: [{ range: { ...range(1, 1), start: '1' }, unitPrice: '1' }] }),
      ['#/assets/0/start pattern'],
    ],
    ['another currency', () => trade(scene, { currency: 'GBP' }), ['#/currency enum']],
    ['a retirement in another currency', () => retirement(scene, { currency: 'GBP' }), ['#/currency enum']],
    ['a trade without a currency', () => trade(scene, { currency: '' }), ['#/currency enum']],
    ['a trade without a buyer', () => trade(scene, { buyerId: '' }), ['#/buyerId minLength']],
    [
      'a trade without some prices',
      () => trade(scene, { assets: priced(undefined, '1') }),
      ['#/assets/0/unitPrice required'],
    ],
    ['a trade without any price', () => trade(scene, { assets: priced(undefined) }), ['#/assets/0/unitPrice required']],
    [
      'a price with seven decimal places, and a negative one',
      () => trade(scene, { assets: priced('1', '0.0000001', '-1') }),
      ['#/assets/1/unitPrice fraction-digits', '#/assets/2/unitPrice minimum'],
    ],
    [
      'a price that is too high',
      () => trade(scene, { assets: priced('1000000000.000001') }),
      ['#/assets/0/unitPrice maximum'],
    ],
    ['a price that is not a number', () => trade(scene, { assets: priced('ten') }), ['#/assets/0/unitPrice type']],
    [
      'a retirement with a price that is not a number',
      () => retirement(scene, { assets: priced('ten'), currency: 'EUR' }),
      ['#/assets/0/unitPrice type'],
    ],
    [
      'a retirement without terms',
      async () => ({ ...(await retirement(scene)), retirement: { assets: [{ range: range(1, 5) }] } }),
      [
        '#/beneficiaryLocation minLength',
        '#/beneficiaryType minLength',
        '#/consumptionCountryCode pattern',
        '#/usageType minLength',
        '#/consumptionPeriod type',
        '#/retirementPurpose minLength',
      ],
    ],
    [
      'a country in lower case',
      () => retirement(scene, { consumptionCountryCode: 'gb' }),
      ['#/consumptionCountryCode pattern'],
    ],
    [
      'empty texts',
      () => retirement(scene, { beneficiaryLocation: '', retirementPurpose: '' }),
      ['#/beneficiaryLocation minLength', '#/retirementPurpose minLength'],
    ],
    [
      'texts that cannot be stored',
      () => retirement(scene, { beneficiaryName: 'a\0b', retirementPurpose: 'p'.repeat(1_001) }),
      ['#/beneficiaryName nul-character', '#/retirementPurpose maxLength'],
    ],
    [
      'texts with line breaks, control characters or direction overrides',
      () =>
        retirement(scene, {
          beneficiaryName: 'a\u202eb',
          beneficiaryLocation: 'a\r\nb',
          retirementPurpose: '\u001b[2J',
        }),
      ['#/beneficiaryName pattern', '#/beneficiaryLocation pattern', '#/retirementPurpose pattern'],
    ],
    [
      'a period with an invalid date',
      () => retirement(scene, { consumptionPeriod: { ...RETIREMENT.consumptionPeriod, end: 'soon' } }),
      ['#/consumptionPeriod/end format'],
    ],
  ])('invalid-request: %s', async (_name, request, violations) => {
    expect(await tasks.startRefused(await request())).toMatchObject({ code: 'invalid-request', violations });
  });

  test('invalid-request: no terms, before the token is verified', async () => {
    const { trade: _terms, ...request } = await trade(scene);
    expect(await tasks.startRefused(request)).toMatchObject({ code: 'invalid-request', violations: [] });
    expect(await tasks.startRefused({ ...request, principalToken: 'x' })).toMatchObject({ code: 'invalid-request' });
  });

  test.each<[string, () => Promise<StartTransfer>]>([
    ['a trade with a purpose', async () => ({ ...(await trade(scene)), ...(await retirement(scene)) })],
    ['an offramp with a buyer', async () => ({ ...(await trade(scene)), ...(await offramp(scene)) })],
  ])('invalid-request: the terms of two types, %s', async (_name, request) => {
    expect(await tasks.startRefused(await request())).toMatchObject({ code: 'invalid-request', violations: [] });
  });

  test('not-found: an unknown trader, and a trader of another channel, with the same reply', async () => {
    const other = tasks.newScene();
    const answers = [
      await tasks.startRefused(await trade(scene, {}, { traderId: 'nobody' })),
      await tasks.startRefused(await trade(scene, {}, { traderId: other.seller })),
      await tasks.startRefused(await trade(scene, {}, { traderId: '' })),
      await tasks.startRefused(await trade(scene, {}, { traderId: 'a\0b' })),
    ];
    expect(answers[0]).toMatchObject({ code: 'not-found', violations: [] });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    // Checked before the meaning of the terms.
    const meaningless = [
      await trade(scene, { buyerId: 'nobody' }, { traderId: 'nobody' }),
      await retirement(scene, { currency: 'EUR' }, { traderId: 'nobody' }),
    ];
    for (const request of meaningless) expect(await tasks.startRefused(request)).toEqual(answers[0]);
  });

  test.each<[string, () => Promise<StartTransfer>, string[]]>([
    ['an unknown buyer', () => trade(scene, { buyerId: 'nobody' }), ['#/buyerId buyer-unknown']],
    ["another channel's buyer", () => trade(scene, { buyerId: tasks.newScene().buyer }), ['#/buyerId buyer-unknown']],
    ['the seller as buyer', () => trade(scene, { buyerId: scene.seller }), ['#/buyerId buyer-is-seller']],
    [
      'a retirement with some prices',
      () => retirement(scene, { assets: priced('1', undefined), currency: 'EUR' }),
      ['#/assets/1/unitPrice price-missing'],
    ],
    [
      'a retirement with some prices and no currency',
      () => retirement(scene, { assets: priced('1', undefined) }),
      ['#/assets/1/unitPrice price-missing', '#/currency currency-missing'],
    ],
    [
      'a retirement with prices and no currency',
      () => retirement(scene, { assets: priced('1') }),
      ['#/currency currency-missing'],
    ],
    [
      'a period that ends before it starts',
      () =>
        retirement(scene, { consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2023-12-31T23:59:59.999Z' } }),
      ['#/consumptionPeriod/start period-order'],
    ],
    [
      'an embargo that is over',
      () => retirement(scene, { statement: { publication: 'LINK', beneficiaryHiddenUntil: '2020-01-01T00:00:00Z' } }),
      ['#/statement/beneficiaryHiddenUntil embargo-past'],
    ],
    [
      'an embargo of more than twelve months',
      () => retirement(scene, { statement: { publication: 'LINK', beneficiaryHiddenUntil: '2999-01-01T00:00:00Z' } }),
      ['#/statement/beneficiaryHiddenUntil embargo-too-long'],
    ],
    [
      'an offramp of a trader that was not onboarded',
      () => offramp(scene, {}, { traderId: scene.seller }),
      ['traderId not-onboarded'],
    ],
  ])('request-refused: %s', async (_name, request, violations) => {
    expect(await tasks.startRefused(await request())).toMatchObject({ code: 'request-refused', violations });
  });

  test('request-refused: faults that the ledger finds in the selections, with their locations', async () => {
    const fault = {
      code: 'bundle-start',
      detail: 'This certificate is not the first of a bundle that the owner can move.',
    };
    tasks.neighbours.faults
      .set(`${ISSUANCE}_77001`, fault)
      .set(`${ISSUANCE}_77002`, { code: 'bundle-end', detail: 'The bundle ends earlier.' });
    const assets = [...priced('1'), { range: range(77_001, 77_002), unitPrice: '1' }];
    expect(await tasks.startRefused(await trade(scene, { assets }))).toEqual({
      code: 'request-refused',
      detail: 'The selections cannot be carried out.',
      violations: ['#/assets/1/start bundle-start', '#/assets/1/end bundle-end'],
    });
  });
});
