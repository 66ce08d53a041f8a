import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readDemo, writeDemo, type Demo, type DemoChannel, type DemoUser } from '../src/demo-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'saleschannel-demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const userNamed = (name: string): DemoUser => ({
  userId: `id-${name}`,
  roles: ['EVENT_VIEWER'],
  clientId: name,
  clientSecret: `client-${name}`,
  apiKey: { id: `key-${name}`, secret: `secret-${name}` },
});
const channelNamed = (name: string): DemoChannel => ({
  salesChannelId: name,
  accountHolderId: `holder-${name}`,
  traders: [{ id: `trader-${name}`, name: 'Trader', onboarded: true }],
  users: [userNamed(`${name}-operator`), userNamed(`${name}-guest`)],
});
const demo: Demo = {
  baseUrl: 'http://api',
  registryBaseUrl: 'http://api',
  issuer: 'http://idp',
  tokenEndpoint: 'http://idp/token',
  audience: 'aud',
  registryKey: { id: 'registry', secret: 'registry-secret' },
  channels: [channelNamed('a'), channelNamed('b')],
};

test('the file has the names of the README and is readable by its owner only', () => {
  const file = join(folder, 'demo.json');
  writeDemo(file, demo);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    baseUrl: 'http://api',
    registryBaseUrl: 'http://api',
    issuer: 'http://idp',
    tokenEndpoint: 'http://idp/token',
    audience: 'aud',
    registryKey: { apiKey: 'registry', apiSecret: 'registry-secret' },
    channels: [
      {
        salesChannelId: 'a',
        accountHolderId: 'holder-a',
        traders: [{ id: 'trader-a', name: 'Trader', onboarded: true }],
        users: [
          {
            userId: 'id-a-operator',
            roles: ['EVENT_VIEWER'],
            clientId: 'a-operator',
            clientSecret: 'client-a-operator',
            apiKeyId: 'key-a-operator',
            passphrase: 'secret-a-operator',
          },
          { apiKeyId: 'key-a-guest' },
        ],
      },
      { salesChannelId: 'b' },
    ],
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a written file can be read', () => {
  const file = join(folder, 'round.json');
  writeDemo(file, demo);
  expect(readDemo(file)).toEqual(demo);
});

test('a missing file gives undefined, and other content is refused', () => {
  expect(readDemo(join(folder, 'none.json'))).toBeUndefined();
  const file = join(folder, 'other.json');
  writeFileSync(file, '{}');
  expect(() => readDemo(file)).toThrow();
});
