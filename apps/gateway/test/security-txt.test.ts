import { afterEach, expect, test } from '@jest/globals';
import { expectProblem } from './support/promised.ts';
import { startSystem, type System } from './support/system.ts';

const PATH = '/.well-known/security.txt';
const HALF_A_YEAR_MS = 183 * 24 * 3_600_000;

let system: System | undefined;
afterEach(async () => {
  await system?.stop();
  system = undefined;
});

test('security.txt has the contact, and expires within half a year', async () => {
  system = await startSystem({ SECURITY_CONTACT: 'mailto:security@example.org' });
  const { status, headers, text } = await system.raw({ path: PATH });
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
  const [contact, expires = '', ...rest] = text.split('\n');
  expect([contact, ...rest]).toEqual(['Contact: mailto:security@example.org', 'Preferred-Languages: en', '']);
  const at = Date.parse(expires.replace('Expires: ', ''));
  expect(at).toBeGreaterThan(Date.now());
  expect(at).toBeLessThan(Date.now() + HALF_A_YEAR_MS);
  expectProblem(await system.raw({ path: PATH, method: 'POST' }), 405, 'method-not-allowed');
});

test('does not exist without a contact', async () => {
  system = await startSystem();
  expectProblem(await system.raw({ path: PATH }), 404, 'route-not-found');
});

test.each(['security@example.org', 'http://example.org/report', 'mailto:a@b.org\nExpires: never'])(
  'the gateway does not start with the contact %j',
  async (contact) => {
    await expect(startSystem({ SECURITY_CONTACT: contact })).rejects.toThrow(/SECURITY_CONTACT/);
  },
);
