import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Administration } from '@saleschannel/edge/administration';
import type { Demo, DemoChannel, DemoUser } from '../src/demo-file.ts';
import { hasDemo, renewKeys } from '../src/prepare-demo.ts';

/** Valid keys. */
const valid = new Set<string>();
const server = createServer((request, response) => {
  const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  response.writeHead(valid.has(Buffer.from(encoded, 'base64').toString()) ? 200 : 401).end('[]');
});
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const userNamed = (name: string): DemoUser => ({
  userId: `id-${name}`,
  roles: [],
  clientId: name,
  clientSecret: 'secret',
  apiKey: { id: `key-${name}`, secret: 's' },
});
const channelNamed = (name: string): DemoChannel => ({
  salesChannelId: name,
  accountHolderId: `holder-${name}`,
  traders: [],
  users: [userNamed(`${name}-operator`), userNamed(`${name}-guest`)],
});
const demoAt = (url: string): Demo => ({
  baseUrl: url,
  registryBaseUrl: url,
  issuer: 'http://idp',
  tokenEndpoint: 'http://idp/token',
  audience: 'aud',
  registryKey: { id: 'registry', secret: 's' },
  channels: [channelNamed('a'), channelNamed('b')],
});

const administration = {
  listSalesChannels: () => Promise.resolve([{ id: 'a' }, { id: 'b' }]),
  issueApiKey: ({ subject }: { subject: string }) => Promise.resolve({ id: `new-${subject}`, secret: 'new' }),
  issueRegistryKey: ({ accountHolderId }: { accountHolderId: string }) =>
    Promise.resolve({ id: `new-of-${accountHolderId}`, secret: 'new' }),
} as unknown as Administration;
const target = () => ({ administration, baseUrl, issuer: 'http://idp' });

const keys = ['registry', 'key-a-operator', 'key-a-guest', 'key-b-operator', 'key-b-guest'];
beforeEach(() => {
  valid.clear();
  for (const key of keys) valid.add(`${key}:s`);
});
const keysOf = ({ registryKey, channels }: Demo): string[] => [
  registryKey.id,
  ...channels.flatMap(({ users }) => users.map(({ apiKey }) => apiKey.id)),
];

test('valid keys stay', async () => {
  expect(await renewKeys(target(), demoAt(baseUrl))).toEqual(demoAt(baseUrl));
});

test.each([
  ['registry', 'new-of-holder-a'],
  ['key-a-operator', 'new-a-operator'],
  ['key-b-guest', 'new-b-guest'],
])('a deleted key %s is replaced, and the others stay', async (gone, successor) => {
  valid.delete(`${gone}:s`);
  const renewed = keysOf(await renewKeys(target(), demoAt(baseUrl)));
  expect(renewed).toEqual(keys.map((key) => (key === gone ? successor : key)));
});

test('existing data are recognized by their channels, even without valid keys', async () => {
  valid.clear();
  expect(await hasDemo(demoAt(baseUrl), target())).toBe(true);
  const other = { ...demoAt(baseUrl), channels: [channelNamed('a'), channelNamed('c')] } as Demo;
  expect(await hasDemo(other, target())).toBe(false);
});
