import { randomBytes } from 'node:crypto';
import type { Administration } from '@saleschannel/edge/administration';
import { roles as allRoles, type Role, roles } from '@saleschannel/auth';
import type { Demo, DemoChannel, DemoKey, DemoTrader, DemoUser } from './demo-file.ts';
import { httpClient, type HttpClient } from './http.ts';
import { aurora, harbour, type SampleChannel, createTrader, issue, onboard, putFacilities } from './sample-data.ts';

/** A running system, as the demonstration uses it. */
export interface DemoTarget {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly administration: Administration;
  /** Replaces the script clients of the identity provider. */
  setClients(clients: { clientId: string; clientSecret: string; kind: 'script' }[]): Promise<void> | void;
}

const REGISTRY_KEY_DAYS = 365;
const DAY_MS = 86_400_000;

/**
 * Creates or completes the sample data.
 * @param before the demonstration whose sales channels exist
 */
export async function createDemo(target: DemoTarget, before?: Demo): Promise<Demo> {
  const { administration, baseUrl, issuer, audience } = target;
  const channels = await createChannels(target, [aurora, harbour], before);
  const { accountHolderId } = channels[0];
  await nameRegistry(administration, accountHolderId);
  const registryKey = await newRegistryKey(administration, accountHolderId);
  const registry = clientWith(baseUrl, registryKey);
  await putFacilities(registry);
  return {
    baseUrl,
    registryBaseUrl: baseUrl,
    issuer,
    tokenEndpoint: `${issuer}/token`,
    audience,
    registryKey,
    channels: await fillChannels(baseUrl, registry, channels, [aurora, harbour]),
  };
}

/** Adds two sales channels of the same kind, with their own people, holders and traders. */
export async function addDemo(target: DemoTarget, demo: Demo, suffix: string): Promise<Demo> {
  const { administration, baseUrl } = target;
  const samples: Samples = [renameSample(aurora, suffix), renameSample(harbour, suffix)];
  const channels = await createChannels(target, samples);
  const { accountHolderId } = channels[0];
  await nameRegistry(administration, accountHolderId);
  const registryKey = await newRegistryKey(administration, accountHolderId);
  const filled = await fillChannels(baseUrl, clientWith(baseUrl, registryKey), channels, samples);
  return { ...demo, registryKey, channels: filled };
}

type Samples = readonly [SampleChannel, SampleChannel];

const renameSample = ({ slug, name, holder, traders }: SampleChannel, suffix: string): SampleChannel => ({
  slug: `${slug}-${suffix}`,
  name: `${name} ${suffix}`,
  holder: { ...holder, name: `${holder.name} ${suffix}`, businessId: `${holder.businessId}-${suffix}` },
  traders,
});

async function createChannels(
  target: DemoTarget,
  samples: Samples,
  before?: Demo,
): Promise<readonly [EmptyChannel, EmptyChannel]> {
  const channels = await Promise.all([
    createChannel(target, samples[0], before?.channels[0].salesChannelId),
    createChannel(target, samples[1], before?.channels[1].salesChannelId),
  ]);
  const users = channels.flatMap((channel) => channel.users);
  await target.setClients(users.map(({ clientId, clientSecret }) => ({ clientId, clientSecret, kind: 'script' })));
  return channels;
}

async function fillChannels(
  baseUrl: string,
  registry: HttpClient,
  channels: readonly [EmptyChannel, EmptyChannel],
  samples: Samples,
): Promise<Demo['channels']> {
  const traders = await Promise.all([
    fillChannel(baseUrl, registry, channels[0], samples[0]),
    fillChannel(baseUrl, registry, channels[1], samples[1]),
  ]);
  return [
    { ...channels[0], traders: traders[0] },
    { ...channels[1], traders: traders[1] },
  ];
}

/** Issues a registry key of the account holder. */
export async function newRegistryKey(administration: Administration, accountHolderId: string): Promise<DemoKey> {
  const expiresAt = new Date(Date.now() + REGISTRY_KEY_DAYS * DAY_MS).toISOString();
  const { id, secret } = await administration.issueRegistryKey({ accountHolderId, expiresAt });
  return { id, secret };
}

/** Makes an account holder the registry of the demonstration: that of the first channel. */
export async function nameRegistry(administration: Administration, accountHolderId: string): Promise<void> {
  await administration.setKind(accountHolderId, 'REGISTRY');
}

type EmptyChannel = Omit<DemoChannel, 'traders'>;

async function createChannel(
  target: DemoTarget,
  { slug, name, holder }: SampleChannel,
  knownId: string | undefined,
): Promise<EmptyChannel> {
  const { administration } = target;
  const salesChannelId = knownId ?? (await administration.createSalesChannel(name)).id;
  const { name: holderName, businessId, ...address } = holder;
  const { accountHolderId } = await administration.ensureAccountHolder({ name: holderName, businessId, address });
  return {
    salesChannelId,
    accountHolderId,
    users: await Promise.all([
      createUser(target, `${slug}-operator`, salesChannelId, allRoles, accountHolderId),
      createUser(target, `${slug}-guest`, salesChannelId, [], undefined),
    ]),
  };
}

async function createUser(
  { administration, issuer }: DemoTarget,
  clientId: string,
  salesChannelId: string,
  roles: readonly Role[],
  accountHolderId: string | undefined,
): Promise<DemoUser> {
  const { userId } = await administration.assignRoles({ issuer, subject: clientId, salesChannelId, roles });
  if (accountHolderId) await administration.setAccountHolder({ issuer, subject: clientId, accountHolderId });
  const { id, secret } = await administration.issueApiKey({ issuer, subject: clientId });
  return { userId, roles, clientId, clientSecret: randomBytes(24).toString('base64url'), apiKey: { id, secret } };
}

/** Creates traders and certificates through the public APIs. */
export async function fillChannel(
  baseUrl: string,
  registry: HttpClient,
  channel: EmptyChannel & { readonly isReplacement?: boolean },
  sample: SampleChannel,
): Promise<DemoTrader[]> {
  const operator = operatorOf({ baseUrl }, channel);
  const traders = [await onboard(registry, operator, channel, sample.holder.name)];
  for (const trader of sample.traders) traders.push(await createTrader(operator, trader));
  await issue(registry, channel);
  return traders;
}

export const clientWith = (baseUrl: string, { id, secret }: DemoKey): HttpClient =>
  httpClient(baseUrl, { username: id, password: secret });

/** Client of the public API as the channel's user with all roles. */
const operatorOf = ({ baseUrl }: Pick<Demo, 'baseUrl'>, { users: [operator] }: EmptyChannel): HttpClient =>
  clientWith(baseUrl, operator.apiKey);

interface Person {
  /** Name at the development identity provider, which accepts any password. */
  readonly name: string;
  readonly about: string;
  /** Roles on the first sales channel. Undefined: not a user of any. */
  readonly roles: readonly Role[] | undefined;
  /** True for a user of the first channel's account holder, a registry. */
  readonly isHolder: boolean;
}

/** Users of the demonstration portal. */
export const people: readonly Person[] = [
  { name: 'anna', about: 'user of a sales channel with all roles', roles, isHolder: false },
  {
    name: 'bo',
    about: 'user of the same sales channel with all VIEWER roles',
    roles: roles.filter((role) => role.endsWith('_VIEWER')),
    isHolder: false,
  },
  { name: 'holder', about: 'user of an account holder that owns certificates', roles: undefined, isHolder: true },
];

/** Creates the people, and keeps later changes to them. */
export async function ensurePeople(
  { administration, issuer }: Pick<DemoTarget, 'administration' | 'issuer'>,
  { channels: [{ salesChannelId, accountHolderId }] }: Demo,
): Promise<void> {
  await Promise.all(
    people.map(async ({ name: subject, roles, isHolder }) => {
      if (roles) await administration.assignRoles({ issuer, subject, salesChannelId, roles });
      if (isHolder) await administration.setAccountHolder({ issuer, subject, accountHolderId });
    }),
  );
}
