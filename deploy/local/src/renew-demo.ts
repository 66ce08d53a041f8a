import type { Demo, DemoChannel, DemoKey, DemoUser } from './demo-file.ts';
import { clientWith, fillChannel, newRegistryKey, type DemoTarget } from './demo.ts';
import { httpClient } from './http.ts';
import { aurora, harbour, type SampleChannel } from './sample-channels.ts';

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
export async function followResets({ baseUrl }: Pick<Target, 'baseUrl'>, demo: Demo): Promise<Demo> {
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
