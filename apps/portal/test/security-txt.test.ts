import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPortal, type TestPortal } from './support/portal.ts';

const PATH = '/.well-known/security.txt';

let portal: TestPortal;
let withContact: string;
beforeAll(async () => {
  portal = await startPortal();
  withContact = await portal.replica({ SECURITY_CONTACT: 'https://example.org/security' });
});
afterAll(() => portal.stop());

test('security.txt names the contact of the installation, without signing in', async () => {
  const response = await fetch(`${withContact}${PATH}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toMatch(
    /^Contact: https:\/\/example\.org\/security\nExpires: \d{4}-\d\d-\d\dT00:00:00Z\n/,
  );
});

test('without a contact there is nothing, and no page of the portal either', async () => {
  expect((await fetch(`${portal.url}${PATH}`)).status).toBe(404);
});
