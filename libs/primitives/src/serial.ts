/** Old serials (a GSRN and a sequential number as one digit string) stay below this many digits. */
export const MAX_SERIAL_DIGITS = 38;

/**
 * How the serials of one issuance are written: `width` 0 for natural numbers, otherwise every serial has exactly
 * `width` digits, zeros in front included.
 */
export interface SerialForm {
  readonly width: number;
}

/** A GSRN leads the serials of the old form. */
const GSRN_DIGITS = 18;

/** Whether serials are of the old form, which no two issuances share. Serials of the new form count from 1. */
export const isOldForm = ({ width }: SerialForm): boolean => width > GSRN_DIGITS;

/** An inclusive range of serials. */
export interface SerialRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Why two serials are not the ends of an issuance. */
export interface SerialFault {
  readonly code: 'serial-not-digits' | 'serial-too-long' | 'serial-width' | 'serial-order';
  readonly detail: string;
}

const DIGITS = /^[0-9]+$/;

/**
 * The written form of an issuance's serials, told from its first and last serial. Serials of one
 * length are written with that width. Serials of different lengths are natural numbers and may have no zero in front.
 */
export function serialFormOf(firstSerial: string, lastSerial: string): SerialForm | SerialFault {
  for (const serial of [firstSerial, lastSerial]) {
    if (!DIGITS.test(serial)) return { code: 'serial-not-digits', detail: 'must contain only digits' };
    if (serial.length > MAX_SERIAL_DIGITS) {
      return { code: 'serial-too-long', detail: `must have at most ${MAX_SERIAL_DIGITS} digits` };
    }
  }
  const isFixed = firstSerial.length === lastSerial.length;
  if (!isFixed && (hasZeroInFront(firstSerial) || hasZeroInFront(lastSerial))) {
    return { code: 'serial-width', detail: 'must have as many digits as the other serial if it has leading zeros' };
  }
  if (BigInt(firstSerial) > BigInt(lastSerial))
    return { code: 'serial-order', detail: 'must not be greater than the last serial' };
  return { width: isFixed ? firstSerial.length : 0 };
}

/** A zero alone is a number. */
const hasZeroInFront = (serial: string): boolean => serial.length > 1 && serial.startsWith('0');

/**
 * Writes a serial in the form of its issuance.
 * @throws RangeError when the number doesn't fit: the ledger is then wrong, not the request.
 */
export function formatSerial(value: bigint, form: SerialForm): string {
  const digits = value.toString();
  if (value < 0n || digits.length > (form.width || MAX_SERIAL_DIGITS)) {
    throw new RangeError(`Serial ${digits} does not fit a width of ${form.width} digits`);
  }
  return form.width === 0 ? digits : digits.padStart(form.width, '0');
}

/**
 * A certificate as clients write it, taken apart. The serial is still text, because only the issuance knows its form.
 */
export interface CertificateRef {
  readonly issuanceId: string;
  readonly serial: string;
}

/**
 * Splits `<issuance id>_<serial>` at the last underscore. Undefined without an underscore, an issuance id or a serial.
 */
export function parseCertificateRef(text: string): CertificateRef | undefined {
  const cut = text.lastIndexOf('_');
  const serial = text.slice(cut + 1);
  if (cut < 1 || serial.length > MAX_SERIAL_DIGITS || !DIGITS.test(serial)) return undefined;
  return { issuanceId: text.slice(0, cut), serial };
}

/** The text `<issuance id>_<serial>`. The serial comes from {@link formatSerial}. */
export const formatCertificateRef = (issuanceId: string, serial: string): string => `${issuanceId}_${serial}`;

/** Number of certificates in a range. */
export const rangeVolume = (range: SerialRange): bigint => range.last - range.first + 1n;
