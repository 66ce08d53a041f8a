import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sandboxKinds } from '@saleschannel/sdk';
import { startService, TestUser, type Respond, type Service } from './support/scs.ts';

const SECRET = 'scs_key_very-secret';
const me = { userId: 'u1', name: 'Anna Berg', email: null, salesChannel: { name: 'Fjord' }, roles: ['TRADER_VIEWER'] };
const traders = [
  { id: 't1', name: 'Nordic Biochar AS', businessId: 'NO-1' },
  { id: 't22', name: 'Evil \u001b[2J\u202e', businessId: 'NO-2' },
];
const selection = {
  start: 'i_1',
  end: 'i_250',
  volume: 250,
  vintage: 2024,
  bundle: { start: 'i_1', end: 'i_500', volume: 500 },
  remainder: { start: 'i_251', end: 'i_500', volume: 250 },
};
const transaction = {
  id: 'tx1',
  type: 'TRADE',
  status: 'SUCCESS',
  assets: [{ start: 'i_1', end: 'i_3', unitPrice: 0.1, volume: 3 }],
  sellerId: 't1',
  sellerName: 'One',
  buyerId: 't2',
  buyerName: 'Two',
  createdAt: '2025-03-04T10:02:11Z',
  externalReference: 'PO-1',
  currency: 'EUR',
  totals: { volume: 3, price: '0.3', currency: 'EUR' },
};
const inventory = '/saleschannel-services/v1/traders/t1/inventory';
const task = { taskId: 'k1', status: 'SUCCESS', idempotencyKey: 'x', message: 'Done.', responsePayload: { id: 'tx1' } };

let person: TestUser;
let service: Service;
beforeEach(async () => {
  person = new TestUser();
  service = await startService({
    'GET /account-portal/me': me,
    'GET /saleschannel-services/v1/traders': traders,
    'GET /saleschannel-services/v1/transactions': (({ url }) => ({
      body: [{ ...transaction, expand: url.searchParams.get('$expand') }],
    })) satisfies Respond,
    [`POST ${inventory}/plan`]: { volume: 250, faults: [], selections: [selection] },
    [`POST ${inventory}/offramp`]: task,
  });
});
afterEach(async () => {
  person.remove();
  await service.stop();
});

const login = (typed?: readonly string[]) =>
  person.run(['login', '--base-url', service.url, '--api-key'], typed ? { typed } : { piped: `key1\n${SECRET}\n` });
const config = (): string => join(person.home, 'scs/config.json');

test('a passphrase is typed without echo, stored, and sent only to its own address', async () => {
  const { code, errors, output } = await login(['key1', SECRET]);
  expect({ code, output }).toEqual({ code: 0, output: '' });
  expect(errors).toContain('Signed in as Anna Berg, Fjord');
  expect(errors).not.toContain(SECRET);
  expect(readFileSync(config(), 'utf8')).toContain(SECRET);
  expect(service.requests.at(-1)?.authorization).toBe(`Basic ${btoa(`key1:${SECRET}`)}`);
  const count = service.requests.length;
  const elsewhere = await person.run(['whoami'], { environment: { SCS_BASE_URL: `${service.url}/other` } });
  expect(elsewhere).toMatchObject({ code: 2, errors: expect.stringContaining('another address') });
  expect(service.requests).toHaveLength(count);
});

test.each(['--passphrase', '--password', '--secret', '--token'])('%s is refused and not repeated', async (option) => {
  for (const words of [['whoami'], ['login', '--api-key'], ['keys', 'rotate']]) {
    for (const refused of [[option, SECRET], [`${option}=${SECRET}`]]) {
      const { code, output, errors } = await person.run([...words, ...refused]);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(errors).toContain('Other users of this machine');
      expect(errors).not.toContain(SECRET);
    }
  }
});

test('a file that others can read is not used', async () => {
  await login();
  chmodSync(config(), 0o644);
  expect(await person.run(['whoami'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Other users can read'),
  });
  chmodSync(config(), 0o600);
  writeFileSync(config(), '{');
  expect(await person.run(['whoami'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('not a valid scs file'),
  });
});

test('the environment can name a key, with its passphrase in a file', async () => {
  const file = join(person.home, 'passphrase');
  writeFileSync(file, `${SECRET}\n`);
  const environment = { SCS_BASE_URL: service.url, SCS_API_KEY_ID: 'key2', SCS_PASSPHRASE_FILE: file };
  const { code, output } = await person.run(['whoami'], { environment });
  expect({ code, ...JSON.parse(output) }).toMatchObject({ code: 0, name: 'Anna Berg', roles: 'TRADER_VIEWER' });
  expect(service.requests.at(-1)?.authorization).toBe(`Basic ${btoa(`key2:${SECRET}`)}`);
  for (const without of ['SCS_BASE_URL', 'SCS_PASSPHRASE_FILE'])
    expect((await person.run(['whoami'], { environment: { ...environment, [without]: '' } })).code).toBe(2);
});

test('profiles are separate, and one is selected', async () => {
  await login();
  expect((await person.run(['--profile', 'other', 'whoami'])).code).toBe(2);
  expect((await person.run(['whoami'], { environment: { SCS_PROFILE: 'other' } })).code).toBe(2);
  expect((await person.run(['whoami', '--profile', 'default'])).code).toBe(0);
  expect((await person.run(['--profile', '../x', 'whoami'])).code).toBe(2);
  expect((await person.run(['logout'])).code).toBe(0);
  expect(readFileSync(config(), 'utf8')).not.toContain(SECRET);
  expect((await person.run(['whoami'])).code).toBe(2);
});

test('prints a table on a terminal, lines in a pipe, and JSON on request', async () => {
  await login();
  const table = await person.run(['traders'], { typed: [] });
  expect(table.output.split('\n')).toEqual([
    'ID   NAME               BUSINESS ID',
    't1   Nordic Biochar AS  NO-1',
    't22  Evil \uFFFD[2J\uFFFD         NO-2',
    '',
  ]);
  const lines = await person.run(['traders']);
  const [first, second, ...end] = lines.output.split('\n');
  expect(first).toBe(JSON.stringify(traders[0]));
  expect(JSON.parse(second ?? '')).toEqual(traders[1]);
  expect(end).toEqual(['']);
  const json = await person.run(['traders', '--json'], { typed: [] });
  expect(JSON.parse(json.output)).toEqual(traders);
});

test('a transfer is shown and confirmed', async () => {
  await login();
  const words = ['offramp', 't1', '--from-oldest', '250'];
  const refused = await person.run(words, { typed: ['n'] });
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('i_1 to i_250: 250, 250 remain') });
  expect(refused.errors).toContain('Offramp 250 t of t1? [y/N]');
  expect(service.requests.some(({ what }) => what.endsWith('/offramp'))).toBe(false);
  const done = await person.run(words, { typed: ['y'] });
  expect({ code: done.code, errors: done.errors }).toMatchObject({ code: 0, errors: expect.stringContaining('key: ') });
  expect(done.output).toContain('SUCCESS');
});

test.each([
  [['offramp', 't1', '--yes'], 'either --from-oldest or --select'],
  [['offramp', 't1', '--yes', '--from-oldest', '0'], 'whole number'],
  [['offramp', 't1', '--yes', '--from-oldest', '1e3'], 'whole number'],
  [['offramp', 't1', '--yes', '--select', 'i_1..i_2..i_3'], '<issuance>_<serial>'],
  [['trade', 't1', '--to', 't2', '--from-oldest', '1', '--price', '1,5', '--currency', 'EUR'], 'six digits'],
  [['trade', 't1', '--to', 't2', '--from-oldest', '1'], '--price'],
  [['trade', 't1'], '--to'],
  [['listen', '--forward-to', 'ftp://x'], 'address'],
  [['completion', 'tcsh'], 'Allowed choices'],
  [['trigger', 'rain'], sandboxKinds.join(', ')],
  [['trigger', 'webhook-down', '--seconds', 'soon'], 'whole number'],
  [['sell'], 'unknown command'],
])('%p starts nothing and states the reason', async (words, why) => {
  await login();
  const count = service.requests.length;
  expect(await person.run(words)).toMatchObject({ code: 2, output: '', errors: expect.stringContaining(why) });
  expect(service.requests).toHaveLength(count);
});

test('help shows values in the units of the options', async () => {
  const readHelp = async (...words: string[]): Promise<string> => {
    const { code, output, errors } = await person.run([...words, '--help']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    return output.replaceAll(/\s+/g, ' ');
  };
  expect(await readHelp('events')).toContain('--poll <seconds> interval between checks for new events (default: 2)');
  expect(await readHelp('listen')).toContain('(default: 1)');
  expect(await readHelp('trigger')).toContain('"approval-rejected"');
  expect(await readHelp('completion')).toContain('"fish"');
  expect(await readHelp('login')).not.toContain('--passphrase');
});

test('transactions show the requested members', async () => {
  await login();
  const table = await person.run(['transactions', '--expand', 'names,reference,totals'], { typed: [] });
  expect(table.output.split('\n')).toEqual([
    'ID   TYPE   STATUS   VOLUME  SELLER  BUYER  CREATED               REFERENCE  PRICE  CURRENCY',
    'tx1  TRADE  SUCCESS  3       One     Two    2025-03-04T10:02:11Z  PO-1       0.3    EUR',
    '',
  ]);
  const wrong = await person.run(['transactions', '--expand', 'names,price']);
  expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('names, reference, metadata') });
  const file = await person.run(['transactions', '--csv', '--expand', 'totals']);
  expect([file.code, JSON.parse(file.output)]).toEqual([0, [expect.objectContaining({ expand: 'totals' })]]);
});

test('a failure shows its request id', async () => {
  await login();
  const { code, output, errors } = await person.run(['transactions', 'unknown']);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toBe('scs: Not found: No such thing.\n  request id: r-17\n');
});
