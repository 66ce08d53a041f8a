import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestOf } from '@saleschannel/grpc';
import { fakes } from './support/fakes.ts';
import { expectProblem } from './support/http.ts';
import { findOperation } from './support/public-contract.ts';
import { startSystem, type System } from './support/system.ts';

type StartTransfer = RequestOf<'tasks.StartTransfers'>['transfers'][number];

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());
beforeEach(() => {
  Object.assign(system.rpcs.tasks, fakes.tasks);
});

const readTransfers = (request: unknown) => (request as RequestOf<'tasks.StartTransfers'>).transfers;
const answerTo = ({ idempotencyKey }: StartTransfer) => ({
  task: { id: `task-${idempotencyKey}`, status: 'PENDING', idempotencyKey, message: 'waiting' },
  replayed: false,
});

/** Subject of a principal token, not verified. */
const readUserId = (principalToken: string): string | undefined =>
  (
    JSON.parse(Buffer.from(principalToken.split('.')[1] ?? 'none', 'base64url').toString()) as {
      principal: { userId?: string };
    }
  ).principal.userId;

/** Calls an operation and returns the transfer that the task service received. */
async function captureTransfer(operation: string, body: unknown): Promise<StartTransfer> {
  let seen: StartTransfer | undefined;
  system.rpcs.tasks['StartTransfers'] = (request) => {
    seen = readTransfers(request)[0];
    return { results: readTransfers(request).map(answerTo) };
  };
  expect((await system.call(operation, { body, path: { traderId: 'seller' } })).status).toBe(201);
  if (!seen) throw new Error('the service received no transfer');
  return seen;
}

const readExample = (name: string) => findOperation(name).example as Record<string, unknown>;

describe('a transfer', () => {
  const asset = { start: 'a_1', end: 'a_2' };

  test('of type trade has its buyer, currency and exact prices', async () => {
    const prices = ['0.1', '148.5', '0.000001', '1000000000', '1e2', '0.30', '123456789.123456', '-0', '3E-6'];
    const assets = prices.map((price) => `{"start":"a_1","end":"a_2","unitPrice":${price}}`).join();
    const body = `{"buyerId":"buyer","currency":"EUR","assets":[${assets}]}`;
    const transfer = await captureTransfer('startTrade', body);
    expect(transfer).toMatchObject({
      traderId: 'seller',
      terms: 'trade',
      trade: { buyerId: 'buyer', currency: 'EUR' },
    });
    expect(transfer.trade?.assets.map(({ unitPrice }) => unitPrice)).toEqual([
      '0.1',
      '148.5',
      '0.000001',
      '1000000000',
      '100',
      '0.3',
      '123456789.123456',
      '0',
      '0.000003',
    ]);
  });

  test('of type offramp has only its certificates', async () => {
    const transfer = await captureTransfer('startOfframp', { assets: [asset] });
    expect(transfer).toMatchObject({ terms: 'offramp', offramp: { assets: [asset] } });
  });

  test('of type retirement gets the defaults of the contract', async () => {
    const {
      usageType: _usage,
      beneficiaryType: _type,
      ...body
    } = findOperation('startRetirement').example as Record<string, unknown>;
    const transfer = await captureTransfer('startRetirement', body);
    expect(transfer.terms).toBe('retirement');
    expect(transfer.retirement).toMatchObject({
      beneficiaryType: 'END_CONSUMER',
      usageType: 'GENERIC_COMPENSATION',
      consumptionPeriod: { start: '2024-01-01T00:00:00.000Z' },
    });
    expect(transfer.retirement).not.toHaveProperty('currency');
    // The currency is passed on without prices, and a null price is none.
    for (const [named, passed] of [
      ['EUR', { currency: 'EUR' }],
      [null, {}],
    ]) {
      const unpriced = { ...body, currency: named, assets: [asset, { ...asset, unitPrice: null }] };
      const { retirement } = await captureTransfer('startRetirement', unpriced);
      expect(retirement).toMatchObject({ ...(passed as object), assets: [{ range: asset }, { range: asset }] });
      expect(retirement?.assets.map((each) => 'unitPrice' in each)).toEqual([false, false]);
      expect(retirement?.currency).toBe(named ?? undefined);
    }
    const chosen = await captureTransfer('startRetirement', {
      ...body,
      usageType: 'OTHER',
      beneficiaryType: 'SUPPLIER',
      currency: 'USD',
      assets: [{ ...asset, unitPrice: 1 }],
    });
    expect(chosen.retirement).toMatchObject({
      currency: 'USD',
      beneficiaryType: 'SUPPLIER',
      usageType: 'OTHER',
      assets: [{ range: asset, unitPrice: '1' }],
    });
  });

  describe('of type retirement with an embargo', () => {
    const until = '2027-03-01T00:00:00.000Z';
    const { statement: _statement, ...body } = readExample('startRetirement');

    test.each<[object, object | null]>([
      [{ beneficiaryHiddenUntil: until }, { publication: 'LINK', beneficiaryHiddenUntil: until }],
      [
        { beneficiaryHiddenUntil: until, statement: { publication: 'PUBLIC' } },
        { publication: 'PUBLIC', beneficiaryHiddenUntil: until },
      ],
      [
        {
          beneficiaryHiddenUntil: '2027-03-01T01:00:00+01:00',
          statement: { publication: 'LINK', beneficiaryHiddenUntil: until },
        },
        { publication: 'LINK', beneficiaryHiddenUntil: until },
      ],
      [
        { beneficiaryHiddenUntil: null, statement: { beneficiaryHiddenUntil: until } },
        { beneficiaryHiddenUntil: until },
      ],
      [{ beneficiaryHiddenUntil: null }, null],
    ])('may have its end outside the statement: %j', async (members, expected) => {
      const { retirement } = await captureTransfer('startRetirement', { ...body, ...members });
      if (expected === null) expect(retirement?.statement ?? null).toBeNull();
      else expect(retirement?.statement).toMatchObject(expected);
    });

    test('must not have two ends', async () => {
      const statement = { publication: 'LINK', beneficiaryHiddenUntil: '2027-03-01T00:00:00.001Z' };
      const request = { ...body, statement, beneficiaryHiddenUntil: until };
      const { errors } = expectProblem(await system.call('startRetirement', { body: request }), 400, 'invalid-request');
      expect(errors).toMatchObject([{ pointer: '#/beneficiaryHiddenUntil', code: 'embargo-differs' }]);
    });

    test.each([
      [{ beneficiaryHiddenUntil: until }, '#/beneficiaryHiddenUntil'],
      [{ statement: { publication: 'LINK', beneficiaryHiddenUntil: until } }, '#/statement/beneficiaryHiddenUntil'],
    ])('%j is invalid at the location of the client', async (members, pointer) => {
      const fault = { pointer: '#/statement/beneficiaryHiddenUntil', code: 'embargo-past', detail: 'is over' };
      const problem = { code: 'request-refused', detail: 'It cannot be carried out.', violations: [fault] };
      system.rpcs.tasks['StartTransfers'] = (request) => ({
        results: readTransfers(request).map(() => ({ problem })),
      });
      const { errors } = expectProblem(
        await system.call('startRetirement', { body: { ...body, ...members } }),
        400,
        'request-refused',
      );
      expect(errors).toMatchObject([{ pointer, code: 'embargo-past' }]);
    });
  });

  test.each(['startTrade', 'startRetirement', 'startOfframp'])(
    'of %s has the own data of its channel',
    async (name) => {
      const { externalReference: _reference, metadata: _metadata, ...body } = readExample(name);
      const notes = {
        externalReference: 'PO "4711" Ω🌲',
        metadata: { project: '', 'a.b:c-d_e': 'Fjörd', constructor: 'x' },
      };
      const transfer = await captureTransfer(name, { ...body, ...notes });
      expect(transfer).toMatchObject(notes);
      expect(transfer.retirement ?? {}).not.toHaveProperty('metadata');
      for (const none of [{}, { externalReference: null, metadata: null }, { metadata: {} }]) {
        const plain = await captureTransfer(name, { ...body, ...none });
        expect(plain.metadata).toEqual({});
        expect(plain).not.toHaveProperty('externalReference');
      }
    },
  );

  test.each<[object, string, string]>([
    [{ externalReference: '' }, '#/externalReference', 'minLength'],
    [{ externalReference: 'x'.repeat(101) }, '#/externalReference', 'maxLength'],
    [{ externalReference: 'a\nb' }, '#/externalReference', 'pattern'],
    [{ externalReference: 'a\u202eb' }, '#/externalReference', 'pattern'],
    [{ externalReference: 7 }, '#/externalReference', 'type'],
    [{ metadata: [] }, '#/metadata', 'type'],
    [{ metadata: { a: 1 } }, '#/metadata/a', 'type'],
    [{ metadata: { a: null } }, '#/metadata/a', 'type'],
    [{ metadata: { a: { b: 'c' } } }, '#/metadata/a', 'type'],
    [{ metadata: { a: 'x'.repeat(501) } }, '#/metadata/a', 'maxLength'],
    [{ metadata: { a: 'b\u0007' } }, '#/metadata/a', 'pattern'],
    [{ metadata: { '': 'x' } }, '#/metadata/', 'pattern'],
    [{ metadata: { 'a b': 'x' } }, '#/metadata/a%20b', 'pattern'],
    [{ metadata: { _a: 'x' } }, '#/metadata/_a', 'pattern'],
    [{ metadata: JSON.parse('{"__proto__":"x"}') as object }, '#/metadata/__proto__', 'pattern'],
    [{ metadata: { ['x'.repeat(41)]: 'x' } }, `#/metadata/${'x'.repeat(41)}`, 'pattern'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, ''])) },
      '#/metadata',
      'maxProperties',
    ],
  ])('rejects the data %j', async (notes, pointer, code) => {
    for (const name of ['startTrade', 'startRetirement', 'startOfframp']) {
      const { errors } = expectProblem(
        await system.call(name, { body: { ...readExample(name), ...notes } }),
        400,
        'invalid-request',
      );
      expect(errors).toEqual([{ pointer, code, detail: expect.any(String) }]);
    }
  });

  test('has the location of its task, and Retry-After', async () => {
    const answer = await system.call('startTrade', {
      path: { traderId: 'a b' },
      headers: { 'Idempotency-Key': 'k-1' },
    });
    expect(answer.headers).toMatchObject({
      location: '/saleschannel-services/v1/traders/a%20b/inventory/trade/task-k-1',
      'retry-after': '1',
    });
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    expect(JSON.parse(answer.text)).toEqual({
      taskId: 'task-k-1',
      status: 'PENDING',
      idempotencyKey: 'k-1',
      message: 'waiting',
      responsePayload: {},
    });
  });

  test('is marked if it is repeated', async () => {
    system.rpcs.tasks['StartTransfers'] = () => ({
      results: [
        {
          task: { id: 't', status: 'SUCCESS', idempotencyKey: 'k', message: 'done', transactionId: 'x' },
          replayed: true,
        },
      ],
    });
    const answer = await system.call('startOfframp');
    expect([answer.status, answer.headers['idempotency-replayed'], answer.headers['retry-after']]).toEqual([
      201,
      'true',
      undefined,
    ]);
    expect(JSON.parse(answer.text)).toMatchObject({ responsePayload: { id: 'x' } });
  });

  test.each([
    [
      'request-refused',
      400,
      [{ pointer: '#/assets/0/start', detail: 'No listable bundle starts here.', code: 'bundle-start' }],
    ],
    ['idempotency-key-reused', 400, []],
    ['not-found', 404, []],
    ['unavailable', 503, []],
  ])('refused with %s gets this error', async (code, status, violations) => {
    system.rpcs.tasks['StartTransfers'] = () => ({
      results: [{ problem: { code, detail: 'No.', violations } }],
    });
    const problem = expectProblem(await system.call('startTrade'), status, code);
    expect([problem['detail'], problem.errors ?? []]).toEqual(['No.', violations]);
  });

  test.each([
    ['an unknown code', { problem: { code: 'boom', detail: 'secret' } }],
    ['no outcome', {}],
  ])('with %s gets an internal error without details', async (_what, result) => {
    system.rpcs.tasks['StartTransfers'] = () => ({ results: [result] });
    expect(expectProblem(await system.call('startTrade'), 500, 'internal')['detail']).not.toContain('secret');
  });
});

test('fifty concurrent transfers have their own principals and responses', async () => {
  const calls: StartTransfer[][] = [];
  system.rpcs.tasks['StartTransfers'] = (request) => {
    const transfers = readTransfers(request);
    calls.push(transfers);
    return {
      results: transfers.map((transfer) =>
        transfer.idempotencyKey.startsWith('bad')
          ? { problem: { code: 'request-refused', detail: transfer.idempotencyKey } }
          : answerTo(transfer),
      ),
    };
  };
  const users = Array.from({ length: 5 }, () => system.user());
  const keys = Array.from({ length: 50 }, (_, index) => `${index % 10 === 0 ? 'bad' : 'good'}-${index}`);
  const answers = await Promise.all(
    keys.map((key, index) =>
      system.call('startTrade', { as: users[index % 5]?.authorization, headers: { 'Idempotency-Key': key } }),
    ),
  );
  answers.forEach((answer, index) => {
    const key = keys[index] ?? '';
    if (key.startsWith('bad')) expect(expectProblem(answer, 400, 'request-refused')['detail']).toBe(key);
    else expect(JSON.parse(answer.text)).toMatchObject({ taskId: `task-${key}`, idempotencyKey: key });
  });
  expect(calls.flat()).toHaveLength(50);
  // A principal that is authenticated again gets another token.
  const principals = calls.flat().map(({ principalToken }) => readUserId(principalToken));
  expect(new Set(principals)).toEqual(new Set(users.map(({ userId }) => userId)));
});
