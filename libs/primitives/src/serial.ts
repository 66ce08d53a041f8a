/** Length of serials of the old form, which are a GSRN and a sequential number. */
export const MAX_SERIAL_DIGITS = 38;

/** Notation of an issuance's serials: natural numbers for `width` 0, else exactly `width` digits with leading zeros. */
export interface SerialForm {
  readonly width: number;
}

const GSRN_DIGITS = 18;

/** Whether serials start with a GSRN, and so are unique across issuances. Serials of the new form count from 1. */
export const isOldForm = ({ width }: SerialForm): boolean => width > GSRN_DIGITS;

/** An inclusive range of serials. */
export interface SerialRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Reason why two serials cannot be the first and last of an issuance. */
export interface SerialFault {
  readonly code: 'serial-not-digits' | 'serial-too-long' | 'serial-width' | 'serial-order';
  readonly detail: string;
}

const DIGITS = /^[0-9]+$/;

/**
 * Derives the form from the first and last serial. Serials of one length have that width. Serials of different lengths
 * are natural numbers, without leading zeros.
 */
export function deriveSerialForm(firstSerial: string, lastSerial: string): SerialForm | SerialFault {
  for (const serial of [firstSerial, lastSerial]) {
    if (!DIGITS.test(serial)) return { code: 'serial-not-digits', detail: 'must contain only digits' };
    if (serial.length > MAX_SERIAL_DIGITS) {
      return { code: 'serial-too-long', detail: `must have at most ${MAX_SERIAL_DIGITS} digits` };
    }
  }
  const isFixed = firstSerial.length === lastSerial.length;
  if (!isFixed && (hasLeadingZero(firstSerial) || hasLeadingZero(lastSerial))) {
    return { code: 'serial-width', detail: 'must have as many digits as the other serial if it has leading zeros' };
  }
  if (BigInt(firstSerial) > BigInt(lastSerial))
    return { code: 'serial-order', detail: 'must not be greater than the last serial' };
  return { width: isFixed ? firstSerial.length : 0 };
}

const hasLeadingZero = (serial: string): boolean => serial.length > 1 && serial.startsWith('0');

/**
 * Formats a serial in the form of its issuance.
 * @throws RangeError if the serial does not fit, which is an error of the ledger, not of the request
 */
export function formatSerial(value: bigint, form: SerialForm): string {
  const digits = value.toString();
  if (value < 0n || digits.length > (form.width || MAX_SERIAL_DIGITS)) {
    throw new RangeError(`Serial ${digits} does not fit a width of ${form.width} digits`);
  }
  return form.width === 0 ? digits : digits.padStart(form.width, '0');
}

/** Parsed reference to a certificate. The serial stays text, since only the issuance knows its form. */
export interface CertificateRef {
  readonly issuanceId: string;
  readonly serial: string;
}

/** Splits `<issuance id>_<serial>` at the last underscore. Returns undefined if a part is missing. */
export function parseCertificateRef(text: string): CertificateRef | undefined {
  const cut = text.lastIndexOf('_');
  const serial = text.slice(cut + 1);
  if (cut < 1 || serial.length > MAX_SERIAL_DIGITS || !DIGITS.test(serial)) return undefined;
  return { issuanceId: text.slice(0, cut), serial };
}

/** Joins `<issuance id>_<serial>`. The serial comes from {@link formatSerial}. */
export const formatCertificateRef = (issuanceId: string, serial: string): string => `${issuanceId}_${serial}`;

/** Counts the certificates of a range. */
export const countCertificates = (range: SerialRange): bigint => range.last - range.first + 1n;

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
