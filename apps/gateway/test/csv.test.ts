import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from './support/public-contract.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

/** Content negotiation (RFC 9110 section 12.5.1): JSON unless CSV is preferred. */

let system: System;
beforeAll(async () => {
  system = await startSystem();
  const { inventory, holdings } = system.rpcs;
  const [whole, ofTransactions, page, pageOfTransactions] = [
    'ListInventory',
    'ListTransactions',
    'PageInventory',
    'PageTransactions',
  ].map((name) => inventory[name]);
  const inCsv = (request: Record<string, unknown>) => request['format'] === 'LIST_FORMAT_CSV';
  const format = 'LIST_FORMAT_CSV';
  const data = Buffer.from('a,b\r\n1,2\r\n');
  const { ledger } = system.rpcs;
  const [certificates, ofRegistry] = [ledger['ListCertificates'], ledger['ListRegistryTransactions']];
  ledger['ListCertificates'] = (request, call) =>
    inCsv(request) ? { data, format, next: 'n1', total: '7' } : certificates?.(request, call);
  ledger['ListRegistryTransactions'] = (request, call) => (inCsv(request) ? pieces() : ofRegistry?.(request, call));
  const statements = system.rpcs.publicRegister['ListStatements'];
  system.rpcs.publicRegister['ListStatements'] = (request, call) =>
    inCsv(request) ? { data, format, next: 'n1' } : statements?.(request, call);
  const pieces = async function* (): AsyncGenerator<unknown> {
    yield { data: data.subarray(0, 5), format, next: 'n1' };
    yield { data: data.subarray(5) };
  };
  inventory['ListInventory'] = (request, call) => (inCsv(request) ? pieces() : whole?.(request, call));
  inventory['ListTransactions'] = (request, call) => (inCsv(request) ? pieces() : ofTransactions?.(request, call));
  inventory['PageTransactions'] = (request, call) => (inCsv(request) ? pieces() : pageOfTransactions?.(request, call));
  inventory['PageInventory'] = (request, call) =>
    inCsv(request) ? { data, format, next: 'n1' } : page?.(request, call);
  const [ofHoldings, ofHolder] = [holdings['ListHoldings'], holdings['ListHolderTransactions']];
  const [pageOfHoldings, pageOfHolder] = [holdings['PageHoldings'], holdings['PageHolderTransactions']];
  holdings['ListHoldings'] = (request, call) => (inCsv(request) ? pieces() : ofHoldings?.(request, call));
  holdings['ListHolderTransactions'] = (request, call) => (inCsv(request) ? pieces() : ofHolder?.(request, call));
  holdings['PageHolderTransactions'] = (request, call) => (inCsv(request) ? pieces() : pageOfHolder?.(request, call));
  holdings['PageHoldings'] = (request, call) =>
    inCsv(request) ? { data, format, next: 'n1' } : pageOfHoldings?.(request, call);
});
afterAll(() => system.stop());

const CSV = 'text/csv;charset=utf-8;header=present';
const JSON_TYPE = 'application/json';
/** Lists that services render. */
const renderedByOwner = [
  'listCertificates',
  'listRegistryTransactions',
  'listInventory',
  'listTransactions',
  'listHoldings',
  'listHolderTransactions',
  'listStatements',
];
const withCsv = operations.filter(({ raw }) => raw.responses['200']?.content?.['text/csv'] !== undefined);
const call = (operation: string, accept: string | undefined, query = '') =>
  system.call(operation, { query, ...(accept === undefined ? {} : { headers: { accept } }) });

test('all lists are available as CSV', () => {
  const named = withCsv.map(({ id }) => id).toSorted();
  expect(named).toEqual([
    'listAccountHolders',
    'listAuditEvents',
    'listCertificates',
    'listChannelUsers',
    'listEvents',
    'listFacilities',
    'listHolderTransactions',
    'listHoldings',
    'listImportErrors',
    'listImports',
    'listInventory',
    'listIssuances',
    'listProposals',
    'listRegistryAuditEvents',
    'listRegistryTransactions',
    'listStatements',
    'listSubmittedProposals',
    'listTasks',
    'listTraders',
    'listTransactions',
  ]);
});

test('all pages of the registry are available as CSV', () => {
  const isPage = ({ id }: (typeof operations)[number]) => id.startsWith('list');
  const pages = operations.filter((operation) => operation.access['principal'] === 'registry' && isPage(operation));
  expect(pages.length).toBeGreaterThan(8);
  expect(pages.filter((operation) => !withCsv.includes(operation)).map(({ id }) => id)).toEqual([]);
});

describe.each(withCsv)('$id', ({ id, raw }) => {
  test('has a header record with the columns of its example, and a file name', async () => {
    const answer = await call(id, 'text/csv');
    expect(answer.headers).toMatchObject({
      'content-type': CSV,
      'content-disposition': expect.stringMatching(/^attachment; filename="[a-z-]+\.csv"$/),
      vary: 'Accept',
    });
    expect(answer.text.endsWith('\r\n')).toBe(true);
    if (renderedByOwner.includes(id)) return;
    const example = String(raw.responses['200']?.content?.['text/csv']?.example);
    expect(answer.text.split('\r\n')[0]).toBe(example.split('\r\n')[0]);
    expect(answer.text.split('\r\n').length).toBeGreaterThan(2);
  });

  test('is JSON by default, byte for byte', async () => {
    const plain = await call(id, undefined);
    const explicit = await call(id, 'application/json');
    expect([plain.headers['content-type'], explicit.text]).toEqual([JSON_TYPE, plain.text]);
    expect(plain.headers['vary']).toBe('Accept');
    expect(plain.headers).not.toHaveProperty('content-disposition');
  });

  test('HEAD has the headers of GET', async () => {
    const { authorization } = system.user();
    const path = (await call(id, 'text/csv')) && raw.operationId;
    const [get, head] = await Promise.all(
      (['GET', 'HEAD'] as const).map((method) =>
        system.raw({
          method,
          path: operations.find((operation) => operation.id === path)?.path.replaceAll(/\{\w+\}/g, 'a') ?? '',
          headers: { authorization, accept: 'text/csv' },
        }),
      ),
    );
    expect([head?.status, head?.headers['content-type']]).toEqual([get?.status, get?.headers['content-type']]);
  });
});

test.each([
  ['text/csv', CSV],
  ['text/csv; charset=utf-8', CSV],
  ['text/csv;header=present', CSV],
  ['text/csv;q=0.9, application/json;q=0.8', CSV],
  ['text/csv;q=0.5, application/json', JSON_TYPE],
  ['application/json, text/csv', JSON_TYPE],
  ['text/csv, application/json', CSV],
  ['text/csv, */*;q=0.1', CSV],
  ['text/*', CSV],
  ['text/csv;q=0', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['text/html', JSON_TYPE],
  ['nonsense', JSON_TYPE],
  ['', JSON_TYPE],
])('Accept: %s gets %s', async (accept, type) => {
  expect((await call('listTraders', accept)).headers['content-type']).toBe(type);
});

test('a page has its link and its filter', async () => {
  for (const id of ['listTraders', 'listProposals', 'listTasks', ...renderedByOwner]) {
    const answer = await call(id, 'text/csv', '$limit=1');
    expect(answer.text.split('\r\n').length).toBeGreaterThan(2);
    expect({ id, link: answer.headers['link'] }).toEqual({ id, link: expect.stringContaining('rel="next"') });
  }
});

test('escapes a name that a spreadsheet would read as a formula', async () => {
  const before = system.rpcs.traders['PageTraders'];
  const names = ['=HYPERLINK("http://x","y")', '+1', '-1', '@SUM(A1)', 'Æ, "Ø"'];
  system.rpcs.traders['PageTraders'] = () => ({ traders: names.map((name) => ({ ...samples.trader, name })) });
  const answer = await call('listTraders', 'text/csv', '$limit=9');
  if (before) system.rpcs.traders['PageTraders'] = before;
  const written = answer.text.split('\r\n').slice(1, -1);
  expect(written.map((record) => record.slice('a/b,NO-1,'.length, -',,Oslo,,,'.length))).toEqual([
    `"'=HYPERLINK(""http://x"",""y"")"`,
    "'+1",
    "'-1",
    "'@SUM(A1)",
    '"Æ, ""Ø"""',
  ]);
});

test('never labels JSON of a previous replica as CSV', async () => {
  const before = system.rpcs.inventory['ListInventory'];
  system.rpcs.inventory['ListInventory'] = async function* () {
    yield { data: Buffer.from('[]') };
  };
  const answer = await call('listInventory', 'text/csv');
  if (before) system.rpcs.inventory['ListInventory'] = before;
  expect(answer.status).toBe(503);
});

test('clients of the previous generation always get JSON', async () => {
  const { authorization } = system.user();
  for (const path of ['/saleschannel-services/traders', '/saleschannel-services/events']) {
    const answer = await system.raw({ path, headers: { authorization, accept: 'text/csv' } });
    expect([answer.status, answer.headers['content-type'], answer.headers['vary']]).toEqual([
      200,
      JSON_TYPE,
      undefined,
    ]);
  }
});

test('a list without CSV is JSON', async () => {
  const answer = await call('listProductionFacilities', 'text/csv');
  expect(answer.headers['content-type']).toBe(JSON_TYPE);
  expect(answer.headers).not.toHaveProperty('vary');
});
