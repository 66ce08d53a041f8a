import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startService, TestUser, type Respond, type Service } from './support/scs.ts';

describe('secrets', () => {
  const SECRET = 'scs_key_very-secret';
  const selection = { start: 'i_1', end: 'i_1', volume: 1, vintage: 2024, bundle: { volume: 1 }, remainder: null };

  let person: TestUser;
  let service: Service;
  beforeEach(async () => {
    person = new TestUser();
    service = await startService({
      'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] },
      'POST /saleschannel-services/v1/traders/t1/inventory/plan': { volume: 1, faults: [], selections: [selection] },
    });
    await person.run(['login', '--base-url', service.url, '--api-key'], { piped: `key1\n${SECRET}\n` });
  });
  afterEach(async () => {
    person.remove();
    await service.stop();
  });

  const retire = [
    'retire',
    't1',
    '--yes',
    '--from-oldest',
    '1',
    '--beneficiary',
    'B',
    '--location',
    'L',
    '--country',
    'NO',
  ];

  test.each([
    [['events', '--from', 'yesterday'], 'position'],
    [['tasks', '--wait'], 'requires the id'],
    [['events', '--follow', '--poll', '0'], 'above 0'],
    [['offramp', 't1', '--yes', '--from-oldest', '1', '--key', 'no spaces'], '1 to 64'],
    [
      [...retire, '--purpose', 'P', '--from', '2024-02-30', '--to', '2024-12-31'],
      "'--from <date>' argument '2024-02-30' is invalid",
    ],
    [
      [...retire, '--purpose', 'P', '--from', '2024-01-01', '--to', '2024-12-31', '--price', '1'],
      'requires --currency',
    ],
    [['login', '--api-key', '--base-url', 'http://api.example.org'], 'must be https'],
    [['login', '--issuer', 'http://127.0.0.1:1', '--base-url', 'http://api.example.org'], 'must be https'],
    [['login', '--base-url', `https://key:${SECRET}@api.example.org`], 'must not contain credentials'],
    [['login', `--api-key=${SECRET}`], 'unknown option'],
    [['whoami', `--pass-phrase=${SECRET}`], 'unknown option'],
    [[`--passphrase=${SECRET}`, 'whoami'], 'Other users of this machine'],
    [['--token', SECRET, 'whoami'], 'Other users of this machine'],
  ])('%p is refused before anything starts, without repeating secrets', async (words, why) => {
    const count = service.requests.length;
    const outcome = await person.run(words, { piped: `key1\n${SECRET}\n` });
    expect(outcome).toMatchObject({ code: 2, output: '', errors: expect.stringContaining(why) });
    expect(outcome.errors).not.toContain(SECRET);
    expect(service.requests).toHaveLength(count);
  });

  test('an invalid address in a variable is an error, and an empty variable is ignored', async () => {
    const whoami = (environment: Record<string, string>) => person.run(['whoami'], { environment });
    expect(await whoami({ SCS_BASE_URL: 'api.example.org' })).toMatchObject({ code: 2 });
    expect(await whoami({ SCS_BASE_URL: '', SCS_PROFILE: '', SCS_API_KEY_ID: '' })).toMatchObject({ code: 0 });
  });

  test('an unreachable address is named with the reason', async () => {
    const words = ['login', '--issuer', 'http://127.0.0.1:1', '--base-url', service.url];
    expect(await person.run(words)).toMatchObject({ code: 1, errors: expect.stringMatching(/ECONNREFUSED|bad port/) });
  });
});

describe('output', () => {
  /** Clears the screen in two ways, and reverses the following text. */
  const EVIL = 'Evil \u001b[2J \u009b2J \u202eSA';
  // eslint-disable-next-line no-control-regex
  const DOES_SOMETHING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

  const person = new TestUser();
  let service: Service | undefined;
  afterEach(() => service?.stop());

  async function signedIn(answers: Record<string, unknown>): Promise<string> {
    const me = { userId: 'u1', name: EVIL, email: null, salesChannel: { name: EVIL }, roles: [] };
    service = await startService({ 'GET /account-portal/me': me, ...answers });
    const words = ['login', '--base-url', service.url, '--api-key'];
    return (await person.run(words, { piped: 'key1\nsecret\n' })).errors;
  }

  test('names from others cannot manipulate a terminal in any format', async () => {
    const refused: Respond = () => ({
      status: 400,
      body: { type: '/problems/request-refused', title: EVIL, detail: EVIL, errors: [{ detail: EVIL, code: EVIL }] },
    });
    const errors = await signedIn({
      'GET /saleschannel-services/v1/traders': [{ id: 't1', name: EVIL, businessId: 'NO-1' }],
      'POST /saleschannel-services/v1/traders/t1/inventory/plan': refused,
    });
    expect(errors).toContain('Evil');
    expect(errors).not.toMatch(DOES_SOMETHING);
    for (const words of [
      ['traders'],
      ['traders', '--json'],
      ['whoami'],
      ['whoami', '--json'],
      ['plan', 't1', '--from-oldest', '1'],
    ]) {
      for (const typed of [undefined, []]) {
        const { output, errors } = await person.run(words, typed ? { typed } : {});
        expect(output + errors).toContain('Evil');
        expect(output + errors).not.toMatch(DOES_SOMETHING);
      }
    }
    // Programs get the original name.
    const { output } = await person.run(['traders']);
    expect((JSON.parse(output) as { name: string }).name).toBe(EVIL);
  });

  const createEvent = (number: number) => ({
    id: `e${number}`,
    eventType: 'TRANSACTION_STATUS_CHANGE',
    createdAt: new Date(number).toISOString(),
    eventAt: new Date(number).toISOString(),
    payload: { transactionId: `t${number}`, status: 'SUCCESS' },
  });

  test('events without --follow are a list', async () => {
    await signedIn({ 'GET /saleschannel-services/v1/events': [createEvent(1), createEvent(2)] });
    const json = await person.run(['events', '--json']);
    expect((JSON.parse(json.output) as { id: string }[]).map(({ id }) => id)).toEqual(['e1', 'e2']);
    const lines = await person.run(['events']);
    expect(lines.output.split('\n').filter((line) => line !== '')).toHaveLength(2);
    expect((await person.run(['events'], { typed: [] })).output).toMatch(/^TIME +TYPE/);
  });

  test('a passphrase pasted together with the id is not shown', async () => {
    await signedIn({});
    const words = ['login', '--base-url', service?.url ?? 'none', '--api-key'];
    const { errors } = await person.run(words, { typed: ['key1\nscs_pasted', 'scs_pasted'] });
    expect(errors).toContain('Signed in');
    expect(errors).not.toContain('scs_pasted');
  });
});
