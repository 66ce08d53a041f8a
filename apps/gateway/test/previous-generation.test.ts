import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RequestOf } from '@saleschannel/grpc';
import { loadContract } from '../src/contract/document.ts';
import { derivePreviousContract } from '../src/previous-generation/contract.ts';
import { toCurrentPath, previousOperations, toPreviousPath } from '../src/previous-generation/operations.ts';
import { fakes } from './support/fakes.ts';
import { type RawAnswer, expectProblem } from './support/http.ts';
import { operations } from './support/public-contract.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

/** The previous generation of the API: old paths and forms, and everything else like the current one. */

type StartTransfer = RequestOf<'tasks.StartTransfers'>['transfers'][number];

let system: System;
const SUNSET = { PREVIOUS_GENERATION_SUNSET: '2031-02-03T04:05:06+01:00' };
beforeAll(async () => {
  system = await startSystem(SUNSET);
});
afterAll(() => system.stop());
beforeEach(() => {
  Object.assign(system.rpcs.tasks, fakes.tasks);
  Object.assign(system.rpcs.inventory, fakes.inventory);
});

const old = '/saleschannel-services';
const SERIAL = '7070575001234567890000000001';
const json = { 'Content-Type': 'application/json' };
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  system.raw({
    method,
    path,
    headers: { Authorization: system.user().authorization, ...(body === undefined ? {} : json), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const get = (path: string): Promise<RawAnswer> => send('GET', path);
const parseBody = (answer: RawAnswer): unknown => JSON.parse(answer.text);

function expectNotice({ headers }: RawAnswer, successor: string): void {
  expect(headers['deprecation']).toMatch(/^@\d{10}$/);
  expect(headers['sunset']).toBe('Mon, 03 Feb 2031 03:05:06 GMT');
  expect(headers['link']).toContain(`<${successor}>; rel="successor-version"`);
}

describe('reads', () => {
  const asset = (issuanceId: string, serial: string) => ({
    ...samples.asset,
    issuanceId,
    start: `${issuanceId}_${serial}`,
    end: `${issuanceId}_${serial}`,
  });
  const { issuanceId: _issuanceId, certificates: _certificates, ...bundle } = samples.asset;

  test('bundles have serials without issuances, and those of the new form are omitted', async () => {
    const pieces = [
      `[${JSON.stringify(asset('i_1', '1'))},${JSON.stringify(asset('i_1', SERIAL))}`,
      `,${JSON.stringify(asset('i_1', '7'))}`,
      `,${JSON.stringify(asset('i_2', `0${SERIAL}`))}`,
      ']',
    ];
    system.rpcs.inventory['ListInventory'] = async function* () {
      for (const piece of pieces) yield { data: Buffer.from(piece) };
    };
    const answer = await get(`${old}/traders/a%20b/inventory`);
    expect(parseBody(answer)).toEqual([
      { ...bundle, start: SERIAL, end: SERIAL },
      { ...bundle, start: `0${SERIAL}`, end: `0${SERIAL}` },
    ]);
    expectNotice(answer, '/saleschannel-services/v1/traders/a%20b/inventory');
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from(`[${JSON.stringify(asset('i', '1'))}`) };
      yield { data: Buffer.from(']') };
    };
    expect((await get(`${old}/traders/a/inventory`)).text).toBe('[]');
  });

  test('transactions keep their prices digit by digit, and have serials without issuances', async () => {
    const line = '{"start":"i_1","end":"i_2","unitPrice":9007199254.740993,"volume":9007199254740991}';
    const text = JSON.stringify({ ...samples.transaction, assets: [] }).replace('[]', `[${line}]`);
    const expected = text.replaceAll('i_', '');
    system.rpcs.inventory['GetTransaction'] = () => ({ data: Buffer.from(text) });
    system.rpcs.inventory['ListTransactions'] = async function* () {
      yield { data: Buffer.from(`[${text}`) };
      yield { data: Buffer.from(`,${text}`) };
      yield { data: Buffer.from(']') };
    };
    const one = await get(`${old}/transactions/t1`);
    expect(parseBody(one)).toEqual(JSON.parse(expected));
    expect(one.text).toContain('"unitPrice":9007199254.740993');
    const all = await get(`${old}/transactions`);
    expect(parseBody(all)).toEqual([JSON.parse(expected), JSON.parse(expected)]);
    expect(all.text.match(/"unitPrice":9007199254\.740993/g)).toHaveLength(2);
  });

  test('facilities have neither a GSRN nor a code', async () => {
    const { code: _code, ...facility } = samples.facility;
    expect(parseBody(await get(`${old}/production-facilities/f1`))).toEqual(facility);
    expect(parseBody(await get(`${old}/production-facilities`))).toEqual([facility]);
  });

  test('a page of events links to the next one and to the successor', async () => {
    const answer = await get(`${old}/events?$limit=1`);
    const [next, successor, ...others] = String(answer.headers['link']).split(', ');
    expect(next).toMatch(/^<\/saleschannel-services\/events\?[^>]+>; rel="next"$/);
    expect(successor).toBe('</saleschannel-services/v1/events>; rel="successor-version"');
    expect(others).toEqual([]);
  });

  test('other lists have no pages and no filters', async () => {
    for (const path of ['traders', 'transactions', 'traders/a/inventory', 'production-facilities'])
      expectProblem(await get(`${old}/${path}?$limit=1`), 400, 'invalid-request');
  });
});

describe('a transfer', () => {
  const selection = { start: SERIAL, end: SERIAL };
  const bodies = {
    trade: { buyerId: 'b', currency: 'EUR', assets: [{ ...selection, unitPrice: 12.5 }] },
    offramp: { assets: [selection] },
    retire: {
      beneficiaryName: 'Ada',
      beneficiaryLocation: 'London',
      consumptionCountryCode: 'GB',
      consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2024-12-31T00:00:00Z' },
      retirementPurpose: 'Travel',
      assets: [selection],
      currency: null,
    },
  };

  test.each(Object.entries(bodies))('%s has the flag of the previous generation', async (kind, body) => {
    const received: StartTransfer[] = [];
    system.rpcs.tasks['StartTransfers'] = (request) => {
      received.push(...(request as unknown as RequestOf<'tasks.StartTransfers'>).transfers);
      return fakes.tasks.StartTransfers(request);
    };
    const path = `${old}/traders/seller/inventory/${kind}`;
    const answer = await send('POST', path, body, { 'Idempotency-Key': 'k1' });
    expect(answer).toMatchObject({ status: 201, headers: { location: `${path}/task-k1`, 'retry-after': '1' } });
    expectNotice(answer, `/saleschannel-services/v1/traders/seller/inventory/${kind}`);
    expect(received).toMatchObject([{ previousGeneration: true, traderId: 'seller', idempotencyKey: 'k1' }]);
    const range = received[0]?.offramp?.assets[0] ?? (received[0]?.trade ?? received[0]?.retirement)?.assets[0]?.range;
    expect(range).toMatchObject(selection);
    expect(parseBody(await get(`${path}/task-k1`))).toMatchObject({ taskId: 'task-k1', responsePayload: { id: 't1' } });
    // The current generation does not set the flag.
    const prefixed = JSON.stringify(body).replaceAll(SERIAL, `i_${SERIAL}`);
    await send('POST', toCurrentPath(path), JSON.parse(prefixed), { 'Idempotency-Key': 'k2' });
    expect(received[1]).toMatchObject({ previousGeneration: false });
  });

  test('of type retirement may have null prices and a currency without prices', async () => {
    const received: StartTransfer[] = [];
    system.rpcs.tasks['StartTransfers'] = (request) => {
      received.push(...(request as unknown as RequestOf<'tasks.StartTransfers'>).transfers);
      return fakes.tasks.StartTransfers(request);
    };
    const body = { ...bodies.retire, assets: [{ ...selection, unitPrice: null }], currency: 'EUR' };
    const path = `${old}/traders/seller/inventory/retire`;
    expect(await send('POST', path, body, { 'Idempotency-Key': 'k' })).toMatchObject({ status: 201 });
    expect(received).toMatchObject([{ retirement: { currency: 'EUR', assets: [{ range: selection }] } }]);
    const trade = { ...bodies.trade, assets: [{ ...selection, unitPrice: null }] };
    const refused = await send('POST', `${old}/traders/seller/inventory/trade`, trade, { 'Idempotency-Key': 'k' });
    expect(expectProblem(refused, 400, 'invalid-request').errors).toMatchObject([
      { pointer: '#/assets/0/unitPrice', code: 'type' },
    ]);
  });

  test('of type retirement may have an embargo outside the statement', async () => {
    const received: StartTransfer[] = [];
    system.rpcs.tasks['StartTransfers'] = (request) => {
      received.push(...(request as unknown as RequestOf<'tasks.StartTransfers'>).transfers);
      return fakes.tasks.StartTransfers(request);
    };
    const path = `${old}/traders/seller/inventory/retire`;
    const body = { ...bodies.retire, beneficiaryHiddenUntil: '2027-03-01T00:00:00.000Z' };
    expect(await send('POST', path, body, { 'Idempotency-Key': 'k' })).toMatchObject({ status: 201 });
    const { beneficiaryHiddenUntil } = body;
    expect(received).toMatchObject([{ retirement: { statement: { publication: 'LINK', beneficiaryHiddenUntil } } }]);
  });

  test.each(Object.entries(bodies))('%s has no references', async (kind, body) => {
    for (const notes of [{ externalReference: 'PO-1' }, { metadata: { a: 'b' } }, { externalReference: null }]) {
      const path = `${old}/traders/seller/inventory/${kind}`;
      const answer = await send('POST', path, { ...body, ...notes }, { 'Idempotency-Key': 'k' });
      const { errors } = expectProblem(answer, 400, 'invalid-request');
      expect(errors).toMatchObject([{ pointer: `#/${Object.keys(notes)[0]}`, code: 'unknown-member' }]);
    }
  });

  test.each([
    ['with an issuance', `i_${SERIAL}`, 'pattern'],
    ['that is a number', 7, 'type'],
    ['of more than 38 digits', '7'.repeat(39), 'pattern'],
    ['of nothing', '', 'pattern'],
  ])('rejects a serial %s', async (_name, start, code) => {
    const body = { ...bodies.offramp, assets: [{ start, end: SERIAL }] };
    const answer = await send('POST', `${old}/traders/a/inventory/offramp`, body, { 'Idempotency-Key': 'k' });
    expect(expectProblem(answer, 400, 'invalid-request').errors).toMatchObject([{ pointer: '#/assets/0/start', code }]);
  });
});

test('every operation has the same checks, and errors have the deprecation headers', async () => {
  const found = operations.filter(({ id }) => previousOperations.some((each) => each === id));
  expect(found).toHaveLength(previousOperations.length);
  const nobody = system.user({ roles: [] }).authorization;
  for (const { method, path } of found) {
    const target = toPreviousPath(path).replaceAll(/\{\w+\}/g, 'x');
    const without = await system.raw({ method, path: target });
    expectProblem(without, 401, 'unauthenticated');
    expectNotice(without, toCurrentPath(target));
    const forbidden = await system.raw({ method, path: target, headers: { Authorization: nobody } });
    expectProblem(forbidden, 403, 'forbidden');
    expectNotice(forbidden, toCurrentPath(target));
  }
  const wrongMethod = await send('DELETE', `${old}/transactions`);
  expectProblem(wrongMethod, 405, 'method-not-allowed');
  expectNotice(wrongMethod, '/saleschannel-services/v1/transactions');
});

test('operations of the current generation have no old path and no deprecation headers', async () => {
  expectProblem(await get(`${old}/transactions/t1/detail`), 404, 'route-not-found');
  const current = await get('/saleschannel-services/v1/transactions/t1');
  expect(current.status).toBe(200);
  expect(Object.keys(current.headers)).not.toEqual(expect.arrayContaining(['deprecation']));
  expect(Object.keys(current.headers)).not.toEqual(expect.arrayContaining(['sunset']));
});

test('switched off, old paths are unknown, and current ones work', async () => {
  const off = await startSystem({ PREVIOUS_GENERATION: 'off' });
  try {
    const headers = { Authorization: off.user().authorization };
    for (const path of [`${old}/transactions`, `${old}/traders/a/inventory`, '/openapi-previous.json'])
      expectProblem(await off.raw({ path, headers }), 404, 'route-not-found');
    expect((await off.raw({ path: '/saleschannel-services/v1/transactions', headers })).status).toBe(200);
  } finally {
    await off.stop();
  }
});

describe('its contract', () => {
  const contract = derivePreviousContract(loadContract());
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(contract.document, 'previous');

  test('is served, and describes exactly its responses', async () => {
    const answer = await system.raw({ path: '/openapi-previous.json' });
    expect(parseBody(answer)).toEqual(contract.document);
    expect(contract.operations.map(({ id }) => id).toSorted()).toEqual(previousOperations.toSorted());
    expect(contract.operations.every(({ path }) => !path.includes('/v1/'))).toBe(true);
    expect(answer.text).not.toMatch(/issuance_id|TransactionDetail|"certificates"|"gsrn"/);
    expect(answer.text.match(/"deprecated":true/g)).toHaveLength(previousOperations.length);
  });

  test('has valid examples', () => {
    const segment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
    const { paths } = contract.document as { paths: Record<string, Record<string, Operation>> };
    let count = 0;
    const check = (at: string, content: Content = {}): void => {
      for (const [mediaType, { example, examples }] of Object.entries(content)) {
        const validate = ajv.compile({ $ref: `previous#${at}/content/${segment(mediaType)}/schema` });
        const values = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples ?? {}).map((each) => each.value),
        ];
        for (const value of values) {
          validate(value);
          expect({ at, value, errors: validate.errors ?? [] }).toEqual({ at, value, errors: [] });
          count += 1;
        }
      }
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const at = `/paths/${segment(path)}/${method}`;
        check(`${at}/requestBody`, requestBody?.content);
        for (const [status, response] of Object.entries(responses))
          if (!response.$ref) check(`${at}/responses/${status}`, response.content);
      }
    expect(count).toBeGreaterThan(previousOperations.length);
  });
});

type Content = Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}
