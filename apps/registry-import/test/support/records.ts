import type { SentTo } from '@saleschannel/grpc';

export type Part = SentTo<'registryImport.StartImport'>;

export interface Header {
  readonly contentType: string;
  readonly type?: string;
}

const PIECE_BYTES = 10_000;

export const NDJSON: Header = { contentType: 'application/x-ndjson' };
export const csv = (type: string): Header => ({ contentType: 'text/csv; charset=utf-8', type });

export const ndjson = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

/** Returns the messages of an upload. */
export async function* partsOf(file: string | Buffer, header: Header): AsyncGenerator<Part> {
  yield { header, part: 'header' };
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield { data: bytes.subarray(at, at + PIECE_BYTES), part: 'data' };
  yield { end: { bytes: bytes.length }, part: 'end' };
}

/** Records of a registry. */

export const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };

export const holderContent = (businessId: string, name = `Holder ${businessId}`) => ({ name, businessId, address });

export const facilityOf = (code: string) => ({
  code,
  name: `Plant ${code}`,
  country: 'NO',
  methodologyCodes: ['BIOCHAR-3', 'BIOCHAR-4'],
  supplier: 'Lågendal Karbon AS',
});

/** @param number from 0 */
export const issuanceIdOf = (number: number): string => `5b0c2f3e-7d1a-4c69-9a58-${String(number).padStart(12, '0')}`;

/** @param number from 0, part of the id */
export const issuanceOf = (number: number, productionFacilityCode: string) => ({
  issuanceId: issuanceIdOf(number),
  productionFacilityCode,
  standard: 'NCR',
  registry: 'NRR',
  creditType: 'NCR200+',
  methodologyCode: 'BIOCHAR-3',
  vintage: 2024,
  productionStartDate: '2024-07-01T00:00:00Z',
  productionEndDate: '2024-12-31T23:59:59.000Z',
  issuingDate: '2025-02-10T01:00:00+01:00',
  firstSerial: '1',
  lastSerial: '500',
});

/** Lines of an import. */
export const holderLine = (businessId: string, name?: string) => ({
  type: 'account-holder',
  ...holderContent(businessId, name),
});
export const facilityLine = (code: string) => ({ type: 'production-facility', ...facilityOf(code) });
export const issuanceLine = (number: number, code: string, accountHolderBusinessId: string) => ({
  type: 'issuance',
  ...issuanceOf(number, code),
  accountHolderBusinessId,
});
