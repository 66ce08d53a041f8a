import { randomUUID } from 'node:crypto';

/** The account holder as which the sandbox acts: a registry. */
export const registryHolder = {
  name: 'Sandbox registry',
  businessId: 'SANDBOX-REGISTRY',
  address: { postalCode: '0000', city: 'Nowhere', country: 'Sandbox', street1: 'Sandbox street 1' },
  autoApproval: true,
};

/** What the account holders of a channel are for. */
export type Part = 'seller' | 'buyer' | 'careful seller';

/**
 * An account holder of a channel's own, known by its business id: asked for again, it is the same one. A careful seller
 * decides each transaction itself.
 */
export const holderOf = (salesChannelId: string, part: Part) => ({
  ...registryHolder,
  name: `Sandbox ${part}`,
  businessId: `SANDBOX-${salesChannelId}-${part.replaceAll(' ', '-')}`,
  autoApproval: part !== 'careful seller',
});

/** An account holder whom nobody has heard of. */
export const strangerOf = (salesChannelId: string, name: string) => ({
  ...registryHolder,
  name,
  businessId: `SANDBOX-${salesChannelId}-${randomUUID()}`,
});

export const FACILITY = 'SANDBX';

export const facility = {
  name: 'Sandbox plant',
  country: 'FI',
  methodologyCodes: ['SANDBOX-1'],
  supplier: 'Sandbox supplier',
};

const VINTAGE = 2025;
const VOLUME = 10;

/** Certificates that nobody has moved yet. */
export const issuanceOf = (accountHolderId: string, salesChannelId: string) => ({
  issuanceId: randomUUID(),
  productionFacilityCode: FACILITY,
  standard: 'SANDBOX',
  registry: 'SANDBOX',
  creditType: 'SANDBOX100+',
  methodologyCode: 'SANDBOX-1',
  vintage: VINTAGE,
  productionStartDate: `${VINTAGE}-01-01T00:00:00.000Z`,
  productionEndDate: `${VINTAGE}-12-31T23:59:59.000Z`,
  issuingDate: `${VINTAGE + 1}-01-15T00:00:00.000Z`,
  firstSerial: '1',
  lastSerial: String(VOLUME),
  accountHolderId,
  salesChannelId,
});

/** The certificates of an issuance that are moved, from the start of its bundle. */
export const selectionOf = ({ issuanceId }: { readonly issuanceId: string }) => ({
  start: `${issuanceId}_1`,
  end: `${issuanceId}_4`,
});

export const UNIT_PRICE = '149.5';
export const CURRENCY = 'EUR';

export const beneficiary = {
  beneficiaryName: 'Sandbox beneficiary',
  beneficiaryLocation: 'Nowhere, Sandbox',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'FI',
  usageType: 'GENERIC_COMPENSATION',
  consumptionPeriod: { start: `${VINTAGE}-01-01T00:00:00.000Z`, end: `${VINTAGE}-12-31T23:59:59.000Z` },
  retirementPurpose: 'A retirement of the sandbox: nothing was removed.',
};
