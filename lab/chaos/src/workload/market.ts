import { randomUUID } from 'node:crypto';
import type { DemoKey, DemoUser } from '@saleschannel/local';
import type { ChannelAccess, PublicInstallation } from '../contract.ts';
import type { ClientRequest, Client } from './client.ts';
import type { IssuedCertificates } from './journal.ts';

export const V1 = '/saleschannel-services/v1';
export const REGISTRY = '/Registry/api';
const FACILITY = 'CHAOS1';
const FACILITY_BODY = {
  name: 'Chaos works',
  country: 'FI',
  methodologyCodes: ['C03000000'],
  supplier: 'Chaos supplier',
};
const ADDRESS = { postalCode: '00100', city: 'Helsinki', country: 'Finland', street1: 'Chaos street 1' };
const FIRST_ISSUANCES = 12;
const FIRST_VOLUME = 400;
const PARTIES = 3;

/** A trader with the account holder that it was onboarded for. */
interface Party {
  readonly accountHolderId: string;
  readonly traderId: string;
}

/** The clients' knowledge of a sales channel. */
export interface Market {
  readonly id: string;
  readonly credentials: DemoKey;
  /** Each sells certificates issued to its account holder. */
  readonly parties: Party[];
  readonly traders: string[];
  /** Party whose account holder sometimes approves manually. No other client changes that. */
  readonly manualApprover: Party;
  /** Party whose account holder is sometimes suspended. It gets no further issuances. */
  readonly suspendable: Party;
  /** User without roles. Undefined if the channel has none. */
  readonly guest: DemoUser | undefined;
  /** Accounts with an operation that only one client may run at a time. */
  readonly busy: Set<string>;
}

export interface Registry {
  readonly client: Client;
  readonly key: DemoKey;
}

/** @throws Error if there is no answer, because the workload cannot begin without it */
export const requireAnswer = <T>(answer: { readonly body: T } | undefined, what: string): T => {
  if (!answer) throw new Error(`The workload cannot begin: ${what} was not answered.`);
  return answer.body;
};

export const asRegistry = (
  { key }: Registry,
  request: Omit<ClientRequest, 'actor' | 'credentials'>,
): ClientRequest => ({
  actor: 'registry',
  credentials: key,
  ...request,
});

export const asChannel = (
  { id, credentials }: Pick<Market, 'id' | 'credentials'>,
  request: Omit<ClientRequest, 'actor'>,
): ClientRequest => ({
  actor: id,
  credentials,
  ...request,
});

export interface Issuance {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly issued: IssuedCertificates;
}

/** An issuance whose certificates are listed for a party at once. */
export function newIssuance({ accountHolderId }: Party, salesChannelId: string, volume: number): Issuance {
  const issuanceId = randomUUID();
  const fields = {
    issuanceId,
    productionFacilityCode: FACILITY,
    standard: 'PURO',
    registry: 'PR',
    creditType: 'CORC100+',
    methodologyCode: 'C03000000',
    vintage: 2025,
    productionStartDate: '2025-01-01T00:00:00.000Z',
    productionEndDate: '2025-06-30T00:00:00.000Z',
    issuingDate: '2025-09-01T00:00:00.000Z',
    firstSerial: '1',
    lastSerial: String(volume),
    accountHolderId,
    salesChannelId,
  };
  return { fields, issued: { issuanceId, volume: String(volume) } };
}

export const toNdjson = (issuances: readonly Issuance[]): string =>
  issuances.map(({ fields }) => `${JSON.stringify({ type: 'issuance', ...fields })}\n`).join('');

/** Writes CSV without quotes: none of these fields needs them. */
export const toCsv = (issuances: readonly Issuance[]): string =>
  [Object.keys(issuances[0]?.fields ?? {}), ...issuances.map(({ fields }) => Object.values(fields))]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');

/** Onboards a new account holder, step by step. Undefined if an outcome was not known in time. */
export async function onboardHolder(registry: Registry, channel: ChannelAccess | Market): Promise<Party | undefined> {
  const { client } = registry;
  const businessId = `CHAOS-${randomUUID()}`;
  const holder = await client.send<{ accountHolderId: string }>(
    asRegistry(registry, {
      kind: 'create account holder',
      method: 'POST',
      path: `${REGISTRY}/account-holders`,
      body: { name: `Chaos holder ${businessId}`, businessId, address: ADDRESS },
      expected: [200, 201],
    }),
  );
  if (!holder) return undefined;
  const { accountHolderId } = holder.body;
  const proposal = await client.send<{ id: string }>(
    asRegistry(registry, {
      kind: 'submit proposal',
      method: 'POST',
      path: `${REGISTRY}/trader-onboarding-proposals`,
      body: { accountHolderId, salesChannelId: channel.id },
      expected: [201],
    }),
  );
  if (!proposal) return undefined;
  const accepted = await client.send<{ onboardedTraderId: string }>(
    asChannel(channel, {
      kind: 'accept proposal',
      method: 'POST',
      path: `${V1}/trader-onboarding-proposals/${proposal.body.id}/accept`,
      expected: [200, 201],
    }),
  );
  return accepted && { accountHolderId, traderId: accepted.body.onboardedTraderId };
}

export const createTrader = (client: Client, channel: ChannelAccess | Market, twice = false) =>
  client.send<{ id: string }>(
    asChannel(channel, {
      kind: 'create trader',
      method: 'POST',
      path: `${V1}/traders`,
      body: { name: 'Chaos trader', businessId: `CHAOS-${randomUUID()}`, address: {} },
      expected: [201],
      isDuplicated: twice,
    }),
  );

/** Gives a sales channel three account holders, some traders and certificates to sell. */
export async function openMarket(
  world: PublicInstallation,
  registry: Registry,
  channel: ChannelAccess,
): Promise<Market> {
  const { client } = registry;
  const facility = {
    kind: 'put facility',
    method: 'PUT',
    path: `${REGISTRY}/production-facilities/${FACILITY}`,
  } as const;
  await client.send(asRegistry(registry, { ...facility, body: FACILITY_BODY, expected: [200, 201] }));
  const parties: Party[] = [];
  while (parties.length < PARTIES) {
    const party = await onboardHolder(registry, channel);
    parties.push(requireAnswer(party && { body: party }, 'the onboarding'));
  }
  const created = requireAnswer(await createTrader(client, channel), 'a trader');
  const issuances = Array.from({ length: FIRST_ISSUANCES }, (_, index) =>
    newIssuance(parties[index % parties.length] as Party, channel.id, FIRST_VOLUME),
  );
  for (const { fields, issued } of issuances) {
    const request = { kind: 'issue', method: 'POST', path: `${REGISTRY}/issuances`, body: fields } as const;
    requireAnswer(
      await client.send(asRegistry(registry, { ...request, issued: [issued], expected: [200, 201] })),
      'an issuance',
    );
  }
  return {
    id: channel.id,
    credentials: channel.credentials,
    parties: parties.slice(0, -1),
    traders: [...channel.traders.map(({ id }) => id), ...parties.map(({ traderId }) => traderId), created.id],
    manualApprover: parties[1] as Party,
    suspendable: parties[2] as Party,
    guest: world.demo.channels.find(({ salesChannelId }) => salesChannelId === channel.id)?.users[1],
    busy: new Set(),
  };
}
