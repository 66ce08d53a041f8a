import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseCountry } from '../src/countries.ts';
import { TestUser, startService, type Service } from './support/scs.ts';

const inventory = '/saleschannel-services/v1/traders/t1/inventory';
const selection = { start: 'i_0001', end: 'i_0003', volume: 3, vintage: 2024, bundle: { volume: 3 }, remainder: null };
const task = { taskId: 'k1', status: 'SUCCESS', idempotencyKey: 'x', message: 'Done.', responsePayload: { id: 'tx1' } };

let person: TestUser;
let service: Service;
/** Bodies of started transfers. */
let bodies: unknown[];
let faults: unknown[];
beforeEach(async () => {
  person = new TestUser();
  bodies = [];
  faults = [];
  const plan = () => ({ body: { volume: 3, faults, selections: faults.length > 0 ? [] : [selection] } });
  const start = ({ body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return { status: 201, body: task };
  };
  service = await startService({
    'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] },
    [`POST ${inventory}/plan`]: plan,
    [`POST ${inventory}/retire`]: start,
    [`POST ${inventory}/trade`]: start,
  });
  await person.run(['login', '--base-url', service.url, '--api-key'], { piped: 'key1\nsecret\n' });
});
afterEach(async () => {
  person.remove();
  await service.stop();
});

const retire = (...more: string[]): string[] => [
  'retire',
  't1',
  '--from-oldest=3',
  '--beneficiary=Nordlys Ferries AS',
  '--location=Bergen, Norway',
  '--from=2024-01-01',
  '--to=2024-12-31',
  '--purpose=Residual emissions of 2024',
  ...more,
];
/** Lines shown before a question that is answered with no. */
async function shownBefore(words: readonly string[]): Promise<string[]> {
  const { code, errors } = await person.run(words, { typed: ['n'] });
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(' of t1? [y/N]') });
  expect(bodies).toEqual([]);
  return errors.slice(0, errors.indexOf('[y/N]')).split('\n').slice(0, -1);
}

test('a retirement sets every member of the contract and shows it', async () => {
  const words = retire(
    '--country=norway',
    '--beneficiary-type=SUPPLIER',
    '--usage-type=DISCLOSURE',
    '--publication=PUBLIC',
    '--hidden-until=2025-02-01',
    '--price=0.1',
    '--currency=EUR',
    '--reference=PO-1',
    '--metadata=project=Fjord',
    '--metadata=cost-centre=a=b',
  );
  expect(await shownBefore(words)).toEqual([
    '  i_0001 to i_0003: 3, all of the bundle',
    '  beneficiary: Nordlys Ferries AS',
    '  location: Bergen, Norway',
    '  beneficiary type: supplier',
    '  country: Norway (NO)',
    '  period: 2024-01-01 to 2024-12-31',
    '  purpose: Residual emissions of 2024',
    '  usage type: disclosure',
    '  public statement: visible to everyone, in the public register',
    '  beneficiary and purpose: hidden until 2025-02-01',
    // Not 0.30000000000000004.
    '  price: 0.1 EUR each, 0.30 EUR in total',
    '  reference: PO-1',
    '  note project: Fjord',
    '  note cost-centre: a=b',
  ]);
  expect(await person.run([...words, '--yes'])).toMatchObject({ code: 0 });
  expect(bodies).toEqual([
    {
      beneficiaryName: 'Nordlys Ferries AS',
      beneficiaryLocation: 'Bergen, Norway',
      beneficiaryType: 'SUPPLIER',
      consumptionCountryCode: 'NO',
      consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2024-12-31T23:59:59Z' },
      retirementPurpose: 'Residual emissions of 2024',
      usageType: 'DISCLOSURE',
      statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: '2025-02-01T00:00:00Z' },
      assets: [{ start: 'i_0001', end: 'i_0003', unitPrice: 0.1 }],
      currency: 'EUR',
      externalReference: 'PO-1',
      metadata: { project: 'Fjord', 'cost-centre': 'a=b' },
    },
  ]);
});

test('omitted options are not sent, and their defaults are shown', async () => {
  const words = retire('--country', 'NO', '--currency', 'USD');
  const shown = await shownBefore(words);
  for (const line of [
    '  beneficiary type: end consumer',
    '  usage type: generic compensation',
    '  public statement: visible to everyone with the link',
    '  beneficiary and purpose: shown immediately',
    '  price: none, in USD',
  ])
    expect(shown).toContain(line);
  await person.run([...words, '--yes']);
  expect(Object.keys(bodies[0] as object).toSorted()).toEqual([
    'assets',
    'beneficiaryLocation',
    'beneficiaryName',
    'consumptionCountryCode',
    'consumptionPeriod',
    'currency',
    'retirementPurpose',
  ]);
});

test.each([
  ['149.50', '448.50'],
  ['0', '0.00'],
  ['9999999999.999999', '29999999999.999997'],
])('a trade for %s each costs %s in total', async (price, total) => {
  const words = ['trade', 't1', '--to', 't2', '--from-oldest', '3', '--price', price, '--currency', 'EUR'];
  const shown = await shownBefore(words);
  expect(shown.slice(-2)).toEqual(['  buyer: t2', `  price: ${price} EUR each, ${total} EUR in total`]);
});

test('a repeated trade without a plan shows its total too', async () => {
  faults = [{ pointer: '#/assets/0/start', detail: 'No bundle starts there.', code: 'bundle-start' }];
  const select = ['--select', 'i_0001..i_0003', '--select', 'i_0010', '--idempotency-key', 'order-1'];
  const words = ['trade', 't1', '--to', 't2', ...select, '--price', '0.1', '--currency', 'EUR'];
  expect(await shownBefore(words)).toContain('  price: 0.1 EUR each, 0.40 EUR in total');
});

test.each([
  ['Norway', 'NO'],
  ['no', 'NO'],
  ['cote d’ivoire', 'CI'],
  ['Åland Islands', 'AX'],
  // Part of other names.
  ['Guinea', 'GN'],
  ['UK', 'GB'],
])('%s is the country %s', async (country, code) => {
  expect(await person.run(retire('--country', country, '--yes'))).toMatchObject({ code: 0 });
  expect(bodies).toEqual([expect.objectContaining({ consumptionCountryCode: code })]);
});

test.each([
  ['Congo', 'Use the full name or the code: Congo - Kinshasa (CD), Congo - Brazzaville (CG).'],
  ['korea', 'North Korea (KP), South Korea (KR)'],
  ['Atlantis', 'such as Norway or NO'],
  ['EU', 'such as Norway or NO'],
  ['XK', 'such as Norway or NO'],
  ['', 'such as Norway or NO'],
])('%p is not a country, and the error names the option', async (country, why) => {
  const { length } = service.requests;
  const { code, errors } = await person.run(retire('--country', country, '--yes'));
  expect(code).toBe(2);
  expect(errors).toContain("option '--country <country>'");
  expect(errors).toContain(why);
  expect(service.requests).toHaveLength(length);
});

test.each([
  ['--hidden-until', 'next year', 'a date such as'],
  ['--publication', 'NOBODY', 'Allowed choices are LINK, PUBLIC.'],
  ['--beneficiary-type', 'friend', 'END_CONSUMER, SUPPLIER'],
  ['--usage-type', 'fun', 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS'],
  ['--metadata', 'project', '<name>=<value>'],
])('%s %s is refused', async (option, value, why) => {
  const { code, errors } = await person.run(retire('--country', 'NO', '--yes', option, value));
  expect(code).toBe(2);
  expect(errors).toContain(option);
  expect(errors).toContain(why);
  expect(bodies).toEqual([]);
});

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const names = new Intl.DisplayNames('en', { type: 'region' });

const isItself = (code: string): boolean => {
  try {
    return parseCountry(code) === code;
  } catch {
    return false;
  }
};

test('countries are those of ISO 3166-1, by code and by name', () => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isItself);
  expect(codes).toHaveLength(249);
  expect(codes.map((code) => parseCountry(names.of(code) ?? 'none'))).toEqual(codes);
});
