import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { ConsoleBrowser, pageHeaders } from './support/console.ts';
import { Scs, signInAt } from './support/scs.ts';
import { useOwnSystem } from './support/system.ts';
import { operator } from './support/api.ts';

/** An installation that requires a second factor of all users. The development identity provider never confirms one. */

const system = useOwnSystem({ portal: {}, variables: { RECENT_SIGN_IN: 'everybody', RECENT_SIGN_IN_ACR: 'mfa phr' } });
beforeAll(() => {
  // oidc-provider warns about its development pages.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

const MAKE_KEY = '/authentication/users/me/api-keys';

test('a recent sign-in without it may read, and is sent to the provider for changes', async () => {
  const portalUrl = String(system().portalUrl);
  const browser = new ConsoleBrowser(portalUrl, new Set());
  await browser.signIn('anna');
  const { statusCode, headers, body } = await browser.open(`${portalUrl}/api${MAKE_KEY}`, 'POST', {
    headers: pageHeaders,
  });
  await body.dump();
  expect(statusCode).toBe(401);
  expect(headers['www-authenticate']).toMatch(/insufficient_user_authentication.*max_age="900", acr_values="mfa phr"$/);
  const redirect = await browser.open(`${portalUrl}/sign-in?max_age=900&acr_values=mfa+phr`);
  await redirect.body.dump();
  expect(new URL(String(redirect.headers['location'])).searchParams.get('acr_values')).toBe('mfa phr');
});

test('a personal access token may read, and scs explains how to get a stronger one', async () => {
  const scs = new Scs();
  try {
    const issuer = system().demo.tokenEndpoint.replace(/\/token$/, '');
    const signingIn = scs.start('login', '--base-url', system().baseUrl, '--issuer', issuer, '--no-browser');
    const lines = createInterface(signingIn.stderr)[Symbol.asyncIterator]();
    const { value: first } = (await lines.next()) as { value: string };
    await signInAt(first.replace('Sign in here: ', ''), 'dora');
    expect(await once(signingIn, 'exit')).toEqual([0, null]);
    const refused = await scs.run(['keys', 'create']);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain('scs login --fresh --acr "mfa phr"');
    expect(await scs.records('whoami')).toEqual([expect.objectContaining({ name: 'dora' })]);
  } finally {
    scs.leave();
  }
});

test('programs need none, neither with a key nor with a token of their client', async () => {
  const user = operator(system().channels[0]);
  for (const client of [system().createClient(user), await system().createBearerClient(user)])
    expect((await client.send('POST', MAKE_KEY)).status).toBe(201);
});
