import { type Demo, type DemoChannel, type DemoKey, type DemoUser, readDemo, writeDemo } from './demo-file.ts';
import {
  clientWith,
  fillChannel,
  newRegistryKey,
  type DemoTarget,
  createDemo,
  nameRegistry,
  ensurePeople,
} from './demo.ts';
import { httpClient } from './http.ts';
import { aurora, harbour, type SampleChannel } from './sample-data.ts';
import { connectAdministration } from './administration.ts';
import { writePrivateJson } from './files.ts';
import type { Stack } from './stack.ts';

type Target = Pick<DemoTarget, 'administration' | 'baseUrl' | 'issuer'>;

/** True if the system still has the demonstration's sales channels. */
export async function hasDemo({ channels }: Demo, { administration }: Target): Promise<boolean> {
  const known = new Set((await administration.listSalesChannels()).map(({ id }) => id));
  return channels.every(({ salesChannelId }) => known.has(salesChannelId));
}

/** Replaces deleted and expired keys of the demonstration. */
export async function renewKeys(target: Target, demo: Demo): Promise<Demo> {
  const [first, second] = demo.channels;
  return {
    ...demo,
    registryKey: await renewRegistryKey(target, demo),
    channels: [await renewChannel(target, first), await renewChannel(target, second)],
  };
}

interface Me {
  readonly salesChannel: { readonly id: string } | null;
}

/** Follows resets of a sandbox, which give users a new channel, and fills that channel with sample data. */
async function followResets({ baseUrl }: Pick<Target, 'baseUrl'>, demo: Demo): Promise<Demo> {
  const registry = clientWith(baseUrl, demo.registryKey);
  const follow = async (channel: DemoChannel, sample: SampleChannel): Promise<DemoChannel> => {
    const { status, body } = await clientWith(baseUrl, channel.users[0].apiKey).send<Me>('GET', '/account-portal/me');
    const salesChannelId = status === 200 ? body.salesChannel?.id : undefined;
    if (salesChannelId === undefined || salesChannelId === channel.salesChannelId) return channel;
    const own = { ...channel, salesChannelId };
    return { ...own, traders: await fillChannel(baseUrl, registry, { ...own, isReplacement: true }, sample) };
  };
  const [first, second] = demo.channels;
  return { ...demo, channels: [await follow(first, aurora), await follow(second, harbour)] };
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

/** Creates or renews the demonstration of a running stack, and writes it to `file`. */
export async function prepareDemo(stack: Stack, file: string, print: (line: string) => void): Promise<Demo> {
  const administration = await connectAdministration(stack);
  const { baseUrl, issuer, audience, clientsFile, webClients } = stack;
  const setClients = (clients: object[]): void => writePrivateJson(clientsFile, [...webClients, ...clients]);
  try {
    const demo = await findOrCreate({ baseUrl, issuer, audience, administration, setClients }, readDemo(file), print);
    writeDemo(file, demo);
    if (stack.portalUrl !== undefined) await ensurePeople({ administration, issuer }, demo);
    return demo;
  } finally {
    administration.close();
  }
}

/** Returns the demonstration of the last start if it still exists, otherwise a new one. */
async function findOrCreate(
  target: DemoTarget,
  before: Demo | undefined,
  print: (line: string) => void,
): Promise<Demo> {
  const { baseUrl, issuer } = target;
  const known = before && (await hasDemo(before, target)) ? before : undefined;
  // Earlier releases let every account holder have a registry key.
  if (known) await nameRegistry(target.administration, known.channels[0].accountHolderId);
  if (known?.issuer === issuer)
    return followResets(target, await renewKeys(target, { ...known, baseUrl, registryBaseUrl: baseUrl }));
  print('sample data: creating two sales channels with traders, facilities and certificates');
  return createDemo(target, known);
}
