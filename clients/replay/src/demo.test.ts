import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readDemo, selectSetting, type Demo } from './demo.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-demo-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeDemo(content: string): Promise<string> {
  const path = join(folder, 'demo.json');
  await writeFile(path, content);
  return path;
}

const channel = {
  salesChannelId: 'channel',
  accountHolderId: 'holder',
  traders: [
    { id: 'two', onboarded: false },
    { id: 'one', onboarded: true },
  ],
};
const channelInFile = { ...channel, users: [{ apiKeyId: 'user-key', passphrase: 'user-secret' }] };
const demoInFile = {
  baseUrl: 'http://api',
  registryBaseUrl: 'http://registry',
  registryKey: { apiKey: 'registry-key', apiSecret: 'registry-secret' },
  channels: [channelInFile],
};
const channelOfDemo = { ...channel, users: [{ apiKey: { id: 'user-key', secret: 'user-secret' } }] };
const demo: Demo = {
  ...demoInFile,
  registryKey: { id: 'registry-key', secret: 'registry-secret' },
  channels: [channelOfDemo],
};

test('a replay takes keys and parties from the first channel', async () => {
  const read = await readDemo(await writeDemo(JSON.stringify({ ...demoInFile, issuer: 'http://issuer' })));
  expect(read).toEqual(demo);
  expect(selectSetting(read)).toEqual({
    baseUrl: 'http://api',
    registryBaseUrl: 'http://registry',
    registryKey: { id: 'registry-key', secret: 'registry-secret' },
    userKey: { id: 'user-key', secret: 'user-secret' },
    listing: { accountHolderId: 'holder', salesChannelId: 'channel' },
    parties: { sellerId: 'one', buyerId: 'two' },
    traderIds: ['two', 'one'],
  });
});

test.each([
  [{}, '#/baseUrl is required'],
  [{ ...demoInFile, baseUrl: 'x' }, '#/baseUrl must be a URL'],
  [{ ...demoInFile, registryKey: undefined }, '#/registryKey is required'],
  [{ ...demoInFile, registryKey: { apiKey: '', apiSecret: 'x' } }, '#/registryKey/apiKey must not be empty'],
  [{ ...demoInFile, channels: [{ ...channel, users: [{}] }] }, '#/channels/0/users/0/apiKeyId is required'],
  [null, 'must be an object'],
])('the demo file %j is refused: %s', async (content, message) => {
  await expect(readDemo(await writeDemo(JSON.stringify(content)))).rejects.toThrow(message);
});

test('a demo file that is missing or not JSON is refused', async () => {
  await expect(readDemo(await writeDemo('{'))).rejects.toThrow('demo.json is not JSON');
  await expect(readDemo(join(folder, 'none.json'))).rejects.toThrow('none.json does not exist: start the stack');
  await expect(readDemo(folder)).rejects.toThrow('cannot be read');
});

test.each([
  [[], 'needs a sales channel with a user'],
  [[{ ...channelOfDemo, users: [] }], 'needs a sales channel with a user'],
  [[{ ...channelOfDemo, traders: channel.traders.slice(0, 1) }], 'needs an onboarded trader and a second one'],
  [[{ ...channelOfDemo, traders: channel.traders.slice(1) }], 'needs an onboarded trader and a second one'],
])('the channels %j are incomplete: %s', (channels, message) => {
  expect(() => selectSetting({ ...demo, channels })).toThrow(message);
});
