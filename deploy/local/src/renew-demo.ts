import type { Demo, DemoChannel, DemoKey, DemoUser } from './demo-file.ts';
import { newRegistryKey, type DemoTarget } from './demo.ts';
import { httpClient } from './http.ts';

type Target = Pick<DemoTarget, 'administration' | 'baseUrl' | 'issuer'>;

/** Whether the system behind the administration is the one that the demonstration was made in. */
export async function isStillThere({ channels }: Demo, { administration }: Target): Promise<boolean> {
  const known = new Set((await administration.listSalesChannels()).map(({ id }) => id));
  return channels.every(({ salesChannelId }) => known.has(salesChannelId));
}

/** The demonstration with a new key in the place of each that was deleted or has expired. */
export async function renewKeys(target: Target, demo: Demo): Promise<Demo> {
  const [first, second] = demo.channels;
  return {
    ...demo,
    registryKey: await renewRegistryKey(target, demo),
    channels: [await renewChannel(target, first), await renewChannel(target, second)],
  };
}

async function renewChannel(target: Target, channel: DemoChannel): Promise<DemoChannel> {
  const [operator, guest] = channel.users;
  return { ...channel, users: [await renewUser(target, operator), await renewUser(target, guest)] };
}

async function renewUser({ administration, baseUrl, issuer }: Target, user: DemoUser): Promise<DemoUser> {
  if (await isGood(baseUrl, user.apiKey, '/authentication/users/me/api-keys')) return user;
  const { id, secret } = await administration.issueApiKey({ issuer, subject: user.clientId });
  return { ...user, apiKey: { id, secret } };
}

async function renewRegistryKey({ administration, baseUrl }: Target, demo: Demo): Promise<DemoKey> {
  if (await isGood(baseUrl, demo.registryKey, '/Registry/api/imports?limit=1')) return demo.registryKey;
  return newRegistryKey(administration, demo.channels[0].accountHolderId);
}

async function isGood(baseUrl: string, { id, secret }: DemoKey, path: string): Promise<boolean> {
  const { status } = await httpClient(baseUrl, { username: id, password: secret }).send('GET', path);
  return status !== 401;
}
