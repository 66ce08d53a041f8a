import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestUser, startService, type Service } from './support/scs.ts';

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
  [[...retire, '--purpose', 'P', '--from', '2024-01-01', '--to', '2024-12-31', '--price', '1'], 'requires --currency'],
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
