import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Administration } from '@saleschannel/admin';
import { roles as allRoles, type Role } from '@saleschannel/auth';
import { httpClient, type HttpClient } from './http.ts';
import { createTrader, issue, onboard, putFacilities } from './sample-data.ts';
import { writePrivateFile } from './secrets.ts';

/** What scripts need to know of a running stack; documented in the README of this folder. */
export interface Demo {
  baseUrl: string;
  registryBaseUrl: string;
  issuer: string;
  tokenEndpoint: string;
  audience: string;
  registryKey: { apiKey: string; apiSecret: string };
  channels: DemoChannel[];
}

export interface DemoChannel {
  salesChannelId: string;
  accountHolderId: string;
  traders: DemoTrader[];
  /** The first one holds all roles, the second one is bound and holds none. */
  users: DemoUser[];
}

export interface DemoTrader {
  id: string;
  name: string;
  /** True: by proposal of its account holder; false: made by the sales channel. */
  onboarded: boolean;
}

export interface DemoUser {
  userId: string;
  roles: string[];
  clientId: string;
  clientSecret: string;
  apiKeyId: string;
  passphrase: string;
}

/** A running system, as far as the demonstration has to reach it. */
export interface DemoTarget {
  baseUrl: string;
  issuer: string;
  audience: string;
  administration: Administration;
  /** Tells the identity provider which clients there are. */
  setClients(clients: { clientId: string; clientSecret: string; kind: 'script' }[]): Promise<void> | void;
}

const REGISTRY_KEY_DAYS = 365;

interface Plan {
  slug: string;
  channel: string;
  holder: { name: string; businessId: string; city: string; country: string; postalCode: string; street1: string };
  traders: { name: string; businessId: string; city: string; country: string }[];
}

const plans: Plan[] = [
  {
    slug: 'aurora',
    channel: 'Aurora Marketplace',
    holder: {
      name: 'Northern Biochar Oy',
      businessId: 'FI-2874113-4',
      city: 'Tampere',
      country: 'Finland',
      postalCode: '33100',
      street1: 'Hatanpaankatu 3',
    },
    traders: [
      { name: 'Borealis Airlines', businessId: 'DK-30588219', city: 'Copenhagen', country: 'Denmark' },
      { name: 'Kestrel Offsets GmbH', businessId: 'DE-811569869', city: 'Hamburg', country: 'Germany' },
    ],
  },
  {
    slug: 'harbour',
    channel: 'Harbour Bank',
    holder: {
      name: 'Savanna Carbon Ltd',
      businessId: 'NA-2019-0457',
      city: 'Windhoek',
      country: 'Namibia',
      postalCode: '10005',
      street1: 'Independence Avenue 12',
    },
    traders: [
      { name: 'Harbour Treasury', businessId: 'GB-09446231', city: 'London', country: 'United Kingdom' },
      { name: 'Meridian Shipping', businessId: 'GR-094259216', city: 'Piraeus', country: 'Greece' },
    ],
  },
];

/** Makes the demonstration's world, or completes what of it is there. */
export async function createDemo(target: DemoTarget, before?: Demo): Promise<Demo> {
  const { administration } = target;
  const channels: DemoChannel[] = [];
  for (const [index, plan] of plans.entries()) {
    const known = before?.channels[index];
    const salesChannelId = known?.salesChannelId ?? (await administration.createSalesChannel(plan.channel)).id;
    const { name, businessId, ...address } = plan.holder;
    const holder = await administration.ensureAccountHolder({ name, businessId, address });
    const users = [
      await createUser(target, `${plan.slug}-operator`, salesChannelId, [...allRoles], holder.accountHolderId),
      await createUser(target, `${plan.slug}-guest`, salesChannelId, [], undefined),
    ];
    channels.push({ salesChannelId, accountHolderId: holder.accountHolderId, traders: [], users });
  }
  await target.setClients(
    channels.flatMap(({ users }) =>
      users.map(({ clientId, clientSecret }) => ({ clientId, clientSecret, kind: 'script' as const })),
    ),
  );
  const expiresAt = new Date(Date.now() + REGISTRY_KEY_DAYS * 86_400_000).toISOString();
  const registryKey = await administration.issueRegistryKey({
    accountHolderId: channels[0]?.accountHolderId ?? '',
    expiresAt,
  });
  const demo: Demo = {
    baseUrl: target.baseUrl,
    registryBaseUrl: target.baseUrl,
    issuer: target.issuer,
    tokenEndpoint: `${target.issuer}/token`,
    audience: target.audience,
    registryKey: { apiKey: registryKey.id, apiSecret: registryKey.secret },
    channels,
  };
  await fillChannels(demo);
  return demo;
}

async function createUser(
  { administration, issuer }: DemoTarget,
  clientId: string,
  salesChannelId: string,
  roles: Role[],
  accountHolderId: string | undefined,
): Promise<DemoUser> {
  const { userId } = await administration.assignRoles({ issuer, subject: clientId, salesChannelId, roles });
  if (accountHolderId) await administration.setAccountHolder({ issuer, subject: clientId, accountHolderId });
  const key = await administration.issueApiKey({ issuer, subject: clientId });
  return {
    userId,
    roles,
    clientId,
    clientSecret: randomBytes(24).toString('base64url'),
    apiKeyId: key.id,
    passphrase: key.secret,
  };
}

/** Facilities, traders and certificates, through the public APIs. */
async function fillChannels(demo: Demo): Promise<void> {
  const registry = httpClient(demo.baseUrl, {
    username: demo.registryKey.apiKey,
    password: demo.registryKey.apiSecret,
  });
  await putFacilities(registry);
  for (const [index, plan] of plans.entries()) {
    const channel = demo.channels[index] as DemoChannel;
    const operator = operatorOf(demo, channel);
    channel.traders.push(
      await onboard(registry, operator, channel.accountHolderId, channel.salesChannelId, plan.holder.name),
    );
    for (const { name, businessId, city, country } of plan.traders)
      channel.traders.push(await createTrader(operator, name, businessId, city, country));
    await issue(registry, channel.accountHolderId, channel.salesChannelId);
  }
}

/** The public API as the channel's user with all roles. */
export function operatorOf(demo: Pick<Demo, 'baseUrl'>, channel: DemoChannel): HttpClient {
  const user = channel.users[0] as DemoUser;
  return httpClient(demo.baseUrl, { username: user.apiKeyId, password: user.passphrase });
}

/** The demonstration of a stack: that of the last start when it still holds, otherwise a new one; written to `file` (mode 0600). */
export async function prepareDemo(target: DemoTarget, file: string, print: (line: string) => void): Promise<Demo> {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : undefined;
  const isKnown = before !== undefined && (await stillHolds(before, target.baseUrl));
  if (before && isKnown && before.issuer === target.issuer) {
    const demo: Demo = { ...before, baseUrl: target.baseUrl, registryBaseUrl: target.baseUrl };
    writePrivateFile(file, `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  }
  print('sample data: two sales channels with traders, facilities and certificates');
  const demo = await createDemo(target, isKnown ? before : undefined);
  writePrivateFile(file, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

/** Whether the database behind the stack is the one that the file speaks of. */
async function stillHolds(demo: Demo, baseUrl: string): Promise<boolean> {
  for (const channel of demo.channels) {
    const answer = await operatorOf({ baseUrl }, channel).send<{ salesChannelId?: string }>(
      'GET',
      '/user-services/users/me/saleschannel-binding',
    );
    if (answer.status !== 200 || answer.body.salesChannelId !== channel.salesChannelId) return false;
  }
  return true;
}
