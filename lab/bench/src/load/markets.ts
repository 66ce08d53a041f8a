import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '@saleschannel/auth';
import { connectAdministration, httpClient, type HttpClient, type Stack } from '@saleschannel/local';
import { request } from 'undici';

/** Key id and secret, for HTTP Basic authentication. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Authorization header value for a key (RFC 7617). */
export const basicAuthorization = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A registry that issues to the market's seller. */
export interface Registry {
  readonly credentials: Credentials;
  readonly accountHolderId: string;
  readonly salesChannelId: string;
}

/** An issuance that is sold certificate by certificate: each trade takes the next one. */
interface SaleIssuance {
  readonly issuanceId: string;
  nextSerial: bigint;
}

/**
 * How a market names certificates. With serials of the previous generation a selection may begin anywhere in a bundle,
 * which lets many trades of one bundle run at once.
 */
export type SelectionFormat = 'v1' | 'previous';

/** A sales channel with its seller, its buyer and its issuances. */
export interface Market {
  readonly credentials: Credentials;
  readonly salesChannelId: string;
  readonly sellerId: string;
  readonly buyerId: string;
  readonly issuances: readonly SaleIssuance[];
  readonly selectionFormat: SelectionFormat;
  readonly registry: Registry;
}

type Administration = Awaited<ReturnType<typeof connectAdministration>>;

const AT_ONCE = 4;
const CERTIFICATES_PER_ISSUANCE = 1_000_000n;
/** A serial of the previous generation is a GSRN with an appended number. */
const FIRST_SERIAL: Readonly<Record<SelectionFormat, bigint>> = { v1: 1n, previous: 6430024068010000170000000001n };
const DAY_MS = 86_400_000;
const FACILITY_CODE = 'BENCH1';
const FACILITY = { name: 'Bench works', country: 'FI', methodologyCodes: ['C03000000'], supplier: 'Bench supplier' };
const ADDRESS = { postalCode: '00100', city: 'Helsinki', country: 'Finland', street1: 'Bench street 1' };
const ISSUER = 'urn:saleschannel:bench';
const ROLES: readonly Role[] = [
  'TRADER_ADMINISTRATOR',
  'TRADERONBOARDERPROPOSAL_ACCEPTER',
  'TRANSACTION_ADMINISTRATOR',
  'EVENT_VIEWER',
  'ASSET_VIEWER',
  'PRODUCTIONFACILITY_VIEWER',
  'TRADERONBOARDERPROPOSAL_VIEWER',
  'ROLE_ADMINISTRATOR',
];

/** Creates the channels and their certificates through the administration and the public APIs. */
export async function createMarkets(
  stack: Pick<Stack, 'baseUrl' | 'place'>,
  count: number,
  issuancesEach: number,
  naming: SelectionFormat = 'v1',
): Promise<Market[]> {
  const administration = await connectAdministration(stack);
  try {
    const markets: Market[] = [];
    for (let first = 0; first < count; first += AT_ONCE) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, place) => first + place);
      const create = (index: number): Promise<Market> =>
        openChannel(stack.baseUrl, administration, { index, issuanceCount: issuancesEach, naming });
      markets.push(...(await Promise.all(indexes.map(create))));
    }
    return markets;
  } finally {
    administration.close();
  }
}

/** Creates one channel. */
export async function createMarket(stack: Stack, issuances: number): Promise<Market> {
  const [market] = await createMarkets(stack, 1, issuances);
  if (!market) throw new Error('The stack has no market.');
  return market;
}

/** Creates the markets of most scenarios: four channels with 4,096 issuances together. */
export const createFourMarkets = (stack: Stack): Promise<Market[]> => createMarkets(stack, 4, 1_024);

async function openChannel(
  baseUrl: string,
  administration: Administration,
  { index, issuanceCount, naming }: { index: number; issuanceCount: number; naming: SelectionFormat },
): Promise<Market> {
  const { id: salesChannelId } = await administration.createSalesChannel(`Bench ${index} ${randomUUID()}`);
  const businessId = `BENCH-${randomUUID()}`;
  const { accountHolderId } = await administration.ensureAccountHolder({
    name: `Bench holder ${index}`,
    businessId,
    address: ADDRESS,
  });
  const subject = { issuer: ISSUER, subject: `bench-${randomUUID()}` };
  await administration.assignRoles({ ...subject, salesChannelId, roles: ROLES });
  const key = await administration.issueApiKey(subject);
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
  await administration.setKind(accountHolderId, 'REGISTRY');
  const registryKey = await administration.issueRegistryKey({ accountHolderId, expiresAt });

  const credentials = { username: key.id, password: key.secret };
  const registryCredentials = { username: registryKey.id, password: registryKey.secret };
  const channel = httpClient(baseUrl, credentials);
  const registry = httpClient(baseUrl, registryCredentials);
  const sellerId = await onboard(registry, channel, accountHolderId, salesChannelId);
  const buyer = await channel.ok<{ id: string }>(
    'POST',
    '/saleschannel-services/v1/traders',
    { name: 'Bench buyer', businessId: `BUYER-${index}`, address: {} },
    { 'idempotency-key': randomUUID() },
  );
  const issuances = Array.from({ length: issuanceCount }, () => ({
    issuanceId: randomUUID(),
    nextSerial: FIRST_SERIAL[naming],
  }));
  const issuer = { credentials: registryCredentials, accountHolderId, salesChannelId };
  await importLines(
    baseUrl,
    registryCredentials,
    issuances.map(({ issuanceId, nextSerial }) => createIssuanceLine(issuanceId, nextSerial, issuer)),
  );
  return {
    credentials,
    salesChannelId,
    sellerId,
    buyerId: buyer.id,
    issuances,
    selectionFormat: naming,
    registry: issuer,
  };
}

async function onboard(
  registry: HttpClient,
  channel: HttpClient,
  accountHolderId: string,
  salesChannelId: string,
): Promise<string> {
  await registry.ok('PUT', `/Registry/api/production-facilities/${FACILITY_CODE}`, FACILITY);
  const proposal = await registry.ok<{ id: string }>('POST', '/Registry/api/trader-onboarding-proposals', {
    accountHolderId,
    salesChannelId,
  });
  const accepted = await channel.ok<{ onboardedTraderId: string }>(
    'POST',
    `/saleschannel-services/v1/trader-onboarding-proposals/${proposal.id}/accept`,
  );
  return accepted.onboardedTraderId;
}

/** Import line of an issuance that is listed at once for the market's seller. */
export const createIssuanceLine = (
  issuanceId: string,
  firstSerial: bigint,
  { accountHolderId, salesChannelId }: Omit<Registry, 'credentials'>,
): string =>
  JSON.stringify({
    type: 'issuance',
    issuanceId,
    productionFacilityCode: FACILITY_CODE,
    standard: 'PURO',
    registry: 'PR',
    creditType: 'CORC100+',
    methodologyCode: 'C03000000',
    vintage: 2025,
    productionStartDate: '2025-01-01T00:00:00.000Z',
    productionEndDate: '2025-06-30T00:00:00.000Z',
    issuingDate: '2025-09-01T00:00:00.000Z',
    firstSerial: String(firstSerial),
    lastSerial: String(firstSerial + CERTIFICATES_PER_ISSUANCE - 1n),
    accountHolderId,
    salesChannelId,
  });

const PIECE_CHARACTERS = 64 * 1024;
const POLL_MS = 50;

/**
 * Runs one bulk import through the gateway, streaming its lines. Returns when it is complete.
 * @param watch is called repeatedly with the number of applied lines
 * @throws Error if not all lines were applied
 */
export async function importLines(
  baseUrl: string,
  credentials: Credentials,
  lines: Iterable<string>,
  watch: (applied: number) => void = () => undefined,
): Promise<void> {
  const answer = await request(`${baseUrl}/Registry/api/imports`, {
    method: 'POST',
    headers: { authorization: basicAuthorization(credentials), 'content-type': 'application/x-ndjson' },
    body: Readable.from(chunkLines(lines)),
  });
  const { importId } = (await answer.body.json()) as { importId: string };
  const registry = httpClient(baseUrl, credentials);
  for (;;) {
    const state = await registry.ok<Progress>('GET', `/Registry/api/imports/${importId}`);
    watch(state.linesApplied);
    if (state.status === 'COMPLETED' && state.linesFailed === 0) return;
    if (state.status === 'COMPLETED' || state.status === 'FAILED') {
      throw new Error(`The import ended ${JSON.stringify(state)}`);
    }
    await delay(POLL_MS);
  }
}

interface Progress {
  readonly status: string;
  readonly linesApplied: number;
  readonly linesFailed: number;
}

function* chunkLines(lines: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
