import { invalidRequest } from '@saleschannel/errors';
import { formatSerial, parseSerial, serialFormOf } from './serial.ts';
import type { SerialForm, SerialRange } from './serial.ts';

/** What the certificate id of a bundle is made of. */
export interface CertificateIdParts extends SerialRange {
  /** Abbreviation of the carbon removal program. */
  readonly standard: string;
  /** Abbreviation of the registry. */
  readonly registry: string;
  /** Credit type as people write it; the only part that may hold an underscore, e.g. `CORC_100`. */
  readonly creditType: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Six letters or digits. */
  readonly facilityCode: string;
  readonly vintage: number;
  readonly issuanceId: string;
  readonly form: SerialForm;
}

const SHORT_TEXT = /^[^_]+$/;
const VINTAGE = /^[1-9][0-9]{3}$/;
const RANGE = /^([0-9]+)-([0-9]+)$/;

function refused(detail: string): never {
  throw invalidRequest(detail, [{ detail, code: 'certificate-id-form' }]);
}

/**
 * The certificate id of a bundle: eight parts joined with `_`, the last one the serial range `<first>-<last>`.
 * @throws RangeError when a part other than the credit type is empty or holds an underscore: the id could not be read back.
 */
export function certificateId(parts: CertificateIdParts): string {
  const { standard, registry, creditType, countryCode, facilityCode, issuanceId, form } = parts;
  const vintage = String(parts.vintage);
  for (const part of [standard, registry, countryCode, facilityCode, issuanceId]) {
    if (!SHORT_TEXT.test(part)) throw new RangeError(`"${part}" can't be a part of a certificate id`);
  }
  if (creditType === '') throw new RangeError('a certificate id needs a credit type');
  if (!VINTAGE.test(vintage)) throw new RangeError(`vintage ${vintage} is not a year of four digits`);
  const range = `${formatSerial(parts.first, form)}-${formatSerial(parts.last, form)}`;
  return `${standard}_${registry}_${creditType}_${countryCode}_${facilityCode}_${vintage}_${issuanceId}_${range}`;
}

/**
 * Takes a certificate id apart, from both ends inwards, since the credit type in the middle may hold underscores.
 *
 * `form` is that of the range as written: a range 10–12 out of the natural numbers 1–100 reads as width 2, which writes
 * the same text. Ask the issuance for the form of its other serials.
 * @throws DomainError `invalid-request`
 */
export function parseCertificateId(text: string): CertificateIdParts {
  const parts = text.split('_');
  if (parts.length < 8) refused('A certificate id has eight parts joined with underscores.');
  const [standard, registry] = parts as [string, string];
  const [countryCode, facilityCode, vintage, issuanceId, range] = parts.slice(-5) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const creditType = parts.slice(2, -5).join('_');
  const serials = RANGE.exec(range);
  if (!serials) refused('A certificate id ends with its serial range <first>-<last>.');
  if (!VINTAGE.test(vintage)) refused('The vintage in a certificate id is a year of four digits.');
  if ([standard, registry, creditType, countryCode, facilityCode, issuanceId].includes('')) {
    refused('No part of a certificate id is empty.');
  }
  const [, firstSerial, lastSerial] = serials as unknown as [string, string, string];
  const form = serialFormOf(firstSerial, lastSerial);
  return {
    standard,
    registry,
    creditType,
    countryCode,
    facilityCode,
    vintage: Number(vintage),
    issuanceId,
    first: parseSerial(firstSerial, form),
    last: parseSerial(lastSerial, form),
    form,
  };
}
