import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseCountry } from '../src/commands/terms.ts';
import { startService, TestUser, type Respond, type Service } from './support/scs.ts';

describe('a transfer', () => {
  const inventory = '/saleschannel-services/v1/traders/t1/inventory';
  const createTask = (status: string) => ({
    taskId: 'task-1',
    status,
    idempotencyKey: 'order-1',
    message: 'Done.',
    responsePayload: { id: 'tx1' },
  });
  const gone = { pointer: '#/assets/0/start', detail: 'No bundle starts there.', code: 'bundle-start' };

  let person: TestUser;
  let service: Service;
  /** Started transfers by key. */
  let started: Map<unknown, string>;
  /** Whether responses to started transfers are lost. */
  let isAway = false;
  let hasNoPlans = false;
  const away = {
    status: 503,
    body: { type: '/problems/unavailable', title: 'Away', status: 503, detail: 'For long.' },
    headers: { 'Retry-After': '3600' },
  };
  beforeEach(async () => {
    person = new TestUser();
    started = new Map();
    isAway = false;
    hasNoPlans = false;
    const plan: Respond = () => {
      if (hasNoPlans) return away;
      const selections = [
        { start: 'i_1', end: 'i_5', volume: 5, vintage: 2024, bundle: { volume: 5 }, remainder: null },
      ];
      return {
        body: started.size > 0 ? { volume: 0, faults: [gone], selections: [] } : { volume: 5, faults: [], selections },
      };
    };
    const offramp: Respond = ({ key, body }) => {
      const known = started.get(key);
      if (known === undefined && started.size > 0) {
        const problem = { type: '/problems/request-refused', title: 'Refused', status: 400, detail: 'It is.' };
        return { status: 400, body: { ...problem, errors: [gone] } };
      }
      if (known !== undefined && known !== body)
        return { status: 400, body: { type: '/problems/idempotency-key-reused', title: 'Used', detail: 'It is.' } };
      started.set(key, body);
      if (isAway) return away;
      return {
        status: 201,
        body: createTask('SUCCESS'),
        headers: { 'Idempotency-Replayed': String(known !== undefined) },
      };
    };
    service = await startService({
      'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] },
      [`POST ${inventory}/plan`]: plan,
      [`POST ${inventory}/offramp`]: offramp,
    });
    await person.run(['login', '--base-url', service.url, '--api-key'], { piped: 'key1\nsecret\n' });
  });
  afterEach(async () => {
    person.remove();
    await service.stop();
  });

  test('a repeated key returns the started task, although nothing is left to plan', async () => {
    const offramp = ['offramp', 't1', '--idempotency-key', 'order-1', '--yes'];
    const first = await person.run([...offramp, '--from-oldest', '5']);
    expect(first).toMatchObject({ code: 0, errors: expect.stringContaining('task: task-1') });
    const again = await person.run([...offramp, '--select', 'i_1..i_5']);
    expect(again).toMatchObject({ code: 0, output: first.output, errors: expect.stringContaining('started before') });
    expect(started.size).toBe(1);
    // Without selections the request cannot be repeated.
    const unrepeatable = await person.run([...offramp, '--from-oldest', '5']);
    expect(unrepeatable).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('--select') });
    const other = await person.run([...offramp, '--select', 'i_1..i_4']);
    expect(other).toMatchObject({ code: 1, output: '' });
  });

  test('a lost response is reported with the command to repeat', async () => {
    isAway = true;
    const words = ['offramp', 't1', '--yes', '--idempotency-key', 'order-1'];
    const outcome = await person.run([...words, '--from-oldest', '5']);
    const again = 'Repeat the command with --select i_1..i_5';
    expect(outcome).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(again) });
    expect(outcome.errors).toContain('repeat with --idempotency-key order-1\n');
    isAway = false;
    expect(await person.run([...words, '--select', 'i_1..i_5'])).toMatchObject({ code: 0 });
    expect(started.size).toBe(1);
  });

  test.each([[[]], [['--idempotency-key', 'order-1']]])(
    'a failed plan starts nothing and suggests no key to repeat (%j)',
    async (key: string[]) => {
      hasNoPlans = true;
      const words = ['offramp', 't1', '--yes', '--from-oldest', '5', ...key];
      const outcome = await person.run(words);
      expect(outcome).toMatchObject({ code: 1, output: '', errors: 'scs: Away: For long.\n  request id: r-17\n' });
      expect(await person.run(['plan', 't1', '--from-oldest', '5'])).toMatchObject({ errors: outcome.errors });
      hasNoPlans = false;
      expect(await person.run(words)).toMatchObject({ code: 0 });
      expect(started.size).toBe(1);
    },
  );

  test('an unused key does not make an impossible transfer possible', async () => {
    started.set('another-key', '');
    // Former name of the option.
    const words = ['offramp', 't1', '--key', 'order-2', '--select', 'i_1..i_5'];
    expect(await person.run([...words, '--yes'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(gone.code),
    });
    const declined = await person.run(words, { typed: ['n'] });
    expect(declined).toMatchObject({ code: 1, errors: expect.stringContaining('nothing was started') });
    expect(started.size).toBe(1);
  });
});

describe('retire', () => {
  const inventory = '/saleschannel-services/v1/traders/t1/inventory';
  const selection = {
    start: 'i_0001',
    end: 'i_0003',
    volume: 3,
    vintage: 2024,
    bundle: { volume: 3 },
    remainder: null,
  };
  const task = {
    taskId: 'k1',
    status: 'SUCCESS',
    idempotencyKey: 'x',
    message: 'Done.',
    responsePayload: { id: 'tx1' },
  };

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
});
