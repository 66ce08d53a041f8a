import { randomUUID } from 'node:crypto';

/** The sandbox's own account holder, a registry. */
export const registryHolder = {
  name: 'Sandbox registry',
  businessId: 'SANDBOX-REGISTRY',
  address: { postalCode: '0000', city: 'Nowhere', country: 'Sandbox', street1: 'Sandbox street 1' },
  autoApproval: true,
};

/** Role of a sample account holder. */
export type SampleRole = 'seller' | 'buyer' | 'careful seller';

/**
 * Describes a sample account holder of a channel. Its business id identifies it, so that it is created once. A careful
 * seller approves each transaction itself.
 */
export const describeHolder = (salesChannelId: string, role: SampleRole) => ({
  ...registryHolder,
  name: `Sandbox ${role}`,
  businessId: `SANDBOX-${salesChannelId}-${role.replaceAll(' ', '-')}`,
  autoApproval: role !== 'careful seller',
});

/** Describes a new account holder. */
export const describeNewHolder = (salesChannelId: string, name: string) => ({
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

/** Describes an issuance to an account holder. */
export const describeIssuance = (accountHolderId: string, salesChannelId: string) => ({
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

/** Selects the first four certificates of an issuance. */
export const toSelection = ({ issuanceId }: { readonly issuanceId: string }) => ({
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
  retirementPurpose: 'Test retirement in the sandbox. It stands for no carbon removal.',
};
