import { randomUUID } from 'node:crypto';
import { administrationOf, httpClient, type HttpClient, type Stack } from '@saleschannel/local';
import { request } from 'undici';

/** One issuance, sold certificate by certificate: each trade takes the first one that is left. */
export interface Vein {
  issuanceId: string;
  next: number;
}

/** A sales channel with its seller, its buyer and what it sells. */
export interface Market {
  salesChannelId: string;
  authorization: { username: string; password: string };
  api: HttpClient;
  sellerId: string;
  buyerId: string;
  veins: Vein[];
}

const CERTIFICATES_PER_ISSUANCE = 1_000_000;
const FACILITY = { name: 'Bench works', country: 'FI', methodologyCodes: ['C03000000'], supplier: 'Bench supplier' };
const ISSUER = 'urn:saleschannel:bench';

/** Makes the channels and their certificates through the administration and the public APIs. */
export async function createMarkets(stack: Stack, count: number, issuancesEach: number): Promise<Market[]> {
  const administration = await administrationOf(stack);
  try {
    const markets: Market[] = [];
    for (let index = 0; index < count; index++) {
      const channel = await administration.createSalesChannel(`Bench ${index}`);
      const address = { postalCode: '00100', city: 'Helsinki', country: 'Finland', street1: 'Bench street 1' };
      const holder = await administration.ensureAccountHolder({
        name: `Bench holder ${index}`,
        businessId: `BENCH-${randomUUID()}`,
        address,
      });
      const subject = { issuer: ISSUER, subject: `bench-${randomUUID()}` };
      await administration.assignRoles({
        ...subject,
        salesChannelId: channel.id,
        roles: [
          'TRADER_ADMINISTRATOR',
          'TRADERONBOARDERPROPOSAL_ACCEPTER',
          'TRANSACTION_ADMINISTRATOR',
          'EVENT_VIEWER',
          'ASSET_VIEWER',
        ],
      });
      const key = await administration.issueApiKey(subject);
      const registryKey = await administration.issueRegistryKey({
        accountHolderId: holder.accountHolderId,
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const authorization = { username: key.id, password: key.secret };
      const api = httpClient(stack.baseUrl, authorization);
      const registry = { username: registryKey.id, password: registryKey.secret };
      const sellerId = await onboard(httpClient(stack.baseUrl, registry), api, holder.accountHolderId, channel.id);
      const body = { name: 'Bench buyer', businessId: `BUYER-${index}`, address: {} };
      const buyer = await api.ok<{ id: string }>('POST', '/saleschannel-services/v1/traders', body, {
        'idempotency-key': randomUUID(),
      });
      const veins = await issue(stack.baseUrl, registry, holder.accountHolderId, channel.id, issuancesEach);
      markets.push({ salesChannelId: channel.id, authorization, api, sellerId, buyerId: buyer.id, veins });
    }
    return markets;
  } finally {
    administration.close();
  }
}

async function onboard(
  registry: HttpClient,
  channel: HttpClient,
  accountHolderId: string,
  salesChannelId: string,
): Promise<string> {
  await registry.ok('PUT', '/Registry/api/production-facilities/BENCH1', FACILITY);
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

/** One bulk import; returns when it is complete. */
async function issue(
  baseUrl: string,
  key: { username: string; password: string },
  accountHolderId: string,
  salesChannelId: string,
  count: number,
): Promise<Vein[]> {
  const veins = Array.from({ length: count }, () => ({ issuanceId: randomUUID(), next: 1 }));
  const lines = veins.map(({ issuanceId }) =>
    JSON.stringify({
      type: 'issuance',
      issuanceId,
      productionFacilityCode: 'BENCH1',
      standard: 'PURO',
      registry: 'PR',
      creditType: 'CORC100+',
      methodologyCode: 'C03000000',
      vintage: 2025,
      productionStartDate: '2025-01-01T00:00:00.000Z',
      productionEndDate: '2025-06-30T00:00:00.000Z',
      issuingDate: '2025-09-01T00:00:00.000Z',
      firstSerial: '1',
      lastSerial: String(CERTIFICATES_PER_ISSUANCE),
      accountHolderId,
      salesChannelId,
    }),
  );
  const authorization = `Basic ${Buffer.from(`${key.username}:${key.password}`).toString('base64')}`;
  const answer = await request(`${baseUrl}/Registry/api/imports`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  const { importId } = (await answer.body.json()) as { importId: string };
  const registry = httpClient(baseUrl, key);
  for (;;) {
    const state = await registry.ok<{ status: string; linesApplied: number }>(
      'GET',
      `/Registry/api/imports/${importId}`,
    );
    if (state.status === 'COMPLETED' && state.linesApplied === count) return veins;
    if (state.status === 'COMPLETED' || state.status === 'FAILED')
      throw new Error(`the import ended ${JSON.stringify(state)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
