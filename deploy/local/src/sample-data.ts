import { createHash } from 'node:crypto';
import type { DemoChannel, DemoTrader } from './demo-file.ts';
import type { HttpClient } from './http.ts';

/** Sales channel of the demonstration, with its account holder and traders. */
export interface SampleChannel {
  /** Prefix of the names of its users. */
  readonly slug: string;
  readonly name: string;
  readonly holder: {
    readonly name: string;
    readonly businessId: string;
    readonly city: string;
    readonly country: string;
    readonly postalCode: string;
    readonly street1: string;
  };
  readonly traders: readonly SampleTrader[];
}

interface SampleTrader {
  readonly name: string;
  readonly businessId: string;
  readonly city: string;
  readonly country: string;
}

export const aurora: SampleChannel = {
  slug: 'aurora',
  name: 'Aurora Marketplace',
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
};

export const harbour: SampleChannel = {
  slug: 'harbour',
  name: 'Harbour Bank',
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
};

// Creates sample data through the public APIs, as a registry and a sales channel would.

interface SampleFacility {
  code: string;
  name: string;
  country: string;
  methodologyCodes: string[];
  supplier: string;
  gsrn?: string;
}

const sampleFacilities: SampleFacility[] = [
  {
    code: 'NBC001',
    name: 'Northern Biochar Works',
    country: 'FI',
    methodologyCodes: ['C03000000'],
    supplier: 'Northern Biochar Oy',
    gsrn: '643002406801000017',
  },
  {
    code: 'NAM001',
    name: 'Otjiwarongo Bush Biochar',
    country: 'NA',
    methodologyCodes: ['C03000000'],
    supplier: 'Savanna Carbon Ltd',
  },
  {
    code: 'ICE7W2',
    name: 'Hellisheidi Mineral Storage',
    country: 'IS',
    methodologyCodes: ['C04000000'],
    supplier: 'Basalt Storage ehf',
  },
];

/** Id that is the same at every start, so that nothing is created twice: a custom UUID (RFC 9562 §5.8). */
function sampleUuid(...parts: string[]): string {
  const hex = createHash('sha256').update(parts.join('/')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const STANDARD = 'PURO';
const REGISTRY = 'DEMO';

/** Prefix of the certificate ids of the sample data. */
export const SAMPLE_CERTIFICATES = `${STANDARD}_${REGISTRY}_`;

interface SampleIssuance {
  facility: string;
  creditType: string;
  vintage: number;
  firstSerial: string;
  lastSerial: string;
  expirationDate: string | null;
  /** False: held by the account holder, for an onramp. */
  listed: boolean;
}

const sampleIssuances: SampleIssuance[] = [
  {
    facility: 'NBC001',
    creditType: 'CORC100+',
    vintage: 2025,
    firstSerial: '1',
    lastSerial: '100000',
    expirationDate: null,
    listed: true,
  },
  // Former format of the registry: a GSRN and a sequential number with leading zeros.
  {
    facility: 'NBC001',
    creditType: 'CORC100+',
    vintage: 2022,
    firstSerial: '643002406801000017000000000001',
    lastSerial: '643002406801000017000000002500',
    expirationDate: '2032-12-31T23:59:59.000Z',
    listed: true,
  },
  {
    facility: 'NAM001',
    creditType: 'CORC_200',
    vintage: 2024,
    firstSerial: '1',
    lastSerial: '20000',
    expirationDate: '2034-12-31T23:59:59.000Z',
    listed: true,
  },
  {
    facility: 'ICE7W2',
    creditType: 'CORC1000+',
    vintage: 2025,
    firstSerial: '1',
    lastSerial: '5000',
    expirationDate: null,
    listed: false,
  },
];

export async function putFacilities(registry: HttpClient): Promise<void> {
  await Promise.all(
    sampleFacilities.map(({ code, ...facility }) =>
      registry.ok('PUT', `/Registry/api/production-facilities/${code}`, facility),
    ),
  );
}

interface Proposal {
  id: string;
  status: string;
  onboardedTraderId: string | null;
}

type ChannelIds = Pick<DemoChannel, 'salesChannelId' | 'accountHolderId'> & {
  /** The channel replaces one that was reset and keeps its certificates. */
  readonly isReplacement?: boolean;
};

/** Onboards the account holder as a trader by proposal and acceptance. */
export async function onboard(
  registry: HttpClient,
  channel: HttpClient,
  { accountHolderId, salesChannelId }: ChannelIds,
  name: string,
): Promise<DemoTrader> {
  const proposal = await registry.ok<Proposal>('POST', '/Registry/api/trader-onboarding-proposals', {
    accountHolderId,
    salesChannelId,
  });
  const accepted = await channel.ok<Proposal>(
    'POST',
    `/saleschannel-services/v1/trader-onboarding-proposals/${proposal.id}/accept`,
  );
  if (accepted.onboardedTraderId === null) throw new Error(`The accepted proposal ${proposal.id} has no trader.`);
  return { id: accepted.onboardedTraderId, name, onboarded: true };
}

/** Creates a trader of the channel, once, by its idempotency key. */
export async function createTrader(
  channel: HttpClient,
  { name, businessId, city, country }: SampleTrader,
): Promise<DemoTrader> {
  const address = { street: 'Market Street 1', zipCode: '00100', city, countryName: country };
  const body = { name, businessId, address };
  const trader = await channel.ok<{ id: string }>('POST', '/saleschannel-services/v1/traders', body, {
    'idempotency-key': `demo-${businessId}`,
  });
  return { id: trader.id, name, onboarded: false };
}

/** Issues certificates of an account holder: listed ones, and one for an onramp. */
export async function issue(
  registry: HttpClient,
  { accountHolderId, salesChannelId, isReplacement }: ChannelIds,
): Promise<void> {
  for (const { facility, listed, firstSerial, lastSerial, ...issuance } of sampleIssuances) {
    const year = issuance.vintage;
    const issuanceId = sampleUuid(accountHolderId, facility, String(year), ...(isReplacement ? [salesChannelId] : []));
    const answer = await registry.send('POST', '/Registry/api/issuances', {
      body: {
        ...issuance,
        issuanceId,
        productionFacilityCode: facility,
        standard: STANDARD,
        registry: REGISTRY,
        methodologyCode: sampleFacilities.find(({ code }) => code === facility)?.methodologyCodes[0],
        productionStartDate: `${year}-01-01T00:00:00.000Z`,
        productionEndDate: `${year}-06-30T23:59:59.000Z`,
        issuingDate: `${year}-09-15T08:00:00.000Z`,
        firstSerial,
        lastSerial,
        accountHolderId,
        salesChannelId: listed ? salesChannelId : null,
      },
    });
    if (answer.status >= 300)
      throw new Error(
        `The sample issuance ${issuanceId} got the response ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    // At later starts the certificates are on the channel or sold.
    if (answer.status === 201 && !listed) {
      const assets = [{ start: `${issuanceId}_${firstSerial}`, end: `${issuanceId}_${lastSerial}` }];
      await registry.ok('POST', `/Registry/api/account-holders/${accountHolderId}/onramps`, { salesChannelId, assets });
    }
  }
}
