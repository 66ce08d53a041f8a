import { randomUUID } from 'node:crypto';
import type { SentTo } from '@saleschannel/grpc';

export type Facility = NonNullable<SentTo<'ledger.ApplyFacilities'>['facilities']>[number];
export type Issuance = NonNullable<SentTo<'ledger.ApplyIssuances'>['issuances']>[number];

export const FACILITY = 'FAC001';

/** The facility that `startInventory` creates. */
export const facility: Facility = {
  code: FACILITY,
  name: 'Northern Biochar',
  country: 'NA',
  methodologyCodes: ['C03000000'],
  supplier: 'Northern Carbon',
};

/** An unlisted issuance of an account holder. */
export const createIssuance = (accountHolderId: string, fields: Issuance = {}): Issuance & { issuanceId: string } => ({
  productionFacilityCode: FACILITY,
  standard: 'PURO',
  registry: 'PR',
  creditType: 'CORC_100+',
  creditTypeId: 'CORC_100_PLUS',
  methodologyCode: 'C03000000',
  vintage: 2024,
  productionStartDate: '2024-01-01T00:00:00.000Z',
  productionEndDate: '2024-12-31T00:00:00.000Z',
  issuingDate: '2025-02-01T00:00:00.000Z',
  firstSerial: '1',
  lastSerial: '10',
  accountHolderId,
  ...fields,
  issuanceId: fields.issuanceId ?? randomUUID(),
});
