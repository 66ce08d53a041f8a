import { formatSerial } from './serial.ts';
import type { SerialForm, SerialRange } from './serial.ts';

/** What the certificate id of a bundle is made of. */
export interface CertificateIdParts extends SerialRange {
  /** Abbreviation of the carbon removal program. */
  readonly standard: string;
  /** Abbreviation of the registry. */
  readonly registry: string;
  /** Credit type as people write it. The only part that may hold an underscore, e.g. `CORC_100`. */
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

/**
 * What leads the certificate id of every bundle of an issuance: all of it but the serial range.
 * @throws RangeError when a part other than the credit type is empty or holds an underscore: the id could not be read
 * back.
 */
export function certificateIdLead(parts: Omit<CertificateIdParts, 'first' | 'last' | 'form'>): string {
  const { standard, registry, creditType, countryCode, facilityCode, issuanceId } = parts;
  const vintage = String(parts.vintage);
  for (const part of [standard, registry, countryCode, facilityCode, issuanceId]) {
    if (!SHORT_TEXT.test(part)) throw new RangeError(`"${part}" is not a valid part of a certificate id`);
  }
  if (creditType === '') throw new RangeError('A certificate id requires a credit type');
  if (!VINTAGE.test(vintage)) throw new RangeError(`Vintage ${vintage} must be a year of four digits`);
  return `${standard}_${registry}_${creditType}_${countryCode}_${facilityCode}_${vintage}_${issuanceId}_`;
}

/**
 * The certificate id of a bundle: eight parts joined with `_`, the last one the serial range `<first>-<last>`.
 * @throws RangeError as {@link certificateIdLead}
 */
export const certificateId = ({ first, last, form, ...parts }: CertificateIdParts): string =>
  `${certificateIdLead(parts)}${formatSerial(first, form)}-${formatSerial(last, form)}`;
