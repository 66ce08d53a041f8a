import { formatSerial } from './serial.ts';
import type { SerialForm, SerialRange } from './serial.ts';

/** Parts of the certificate id of a bundle. */
export interface CertificateIdParts extends SerialRange {
  /** Abbreviation of the carbon removal program. */
  readonly standard: string;
  /** Abbreviation of the registry. */
  readonly registry: string;
  /** Credit type as it is displayed. The only part that may contain an underscore, such as `CORC_100`. */
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
 * Returns the certificate id of an issuance's bundles without the serial range.
 * @throws RangeError if a part other than the credit type is empty or contains an underscore, because the id would be
 *   ambiguous
 */
export function formatCertificateIdPrefix(parts: Omit<CertificateIdParts, 'first' | 'last' | 'form'>): string {
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
 * Returns the certificate id of a bundle: eight parts joined with `_`, the last one the serial range `<first>-<last>`.
 * @throws RangeError as {@link formatCertificateIdPrefix}
 */
export const formatCertificateId = ({ first, last, form, ...parts }: CertificateIdParts): string =>
  `${formatCertificateIdPrefix(parts)}${formatSerial(first, form)}-${formatSerial(last, form)}`;
