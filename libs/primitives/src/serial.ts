import { invalidRequest } from '@saleschannel/errors';
import type { DomainError } from '@saleschannel/errors';

/** Old serials (a GSRN and a sequential number as one digit string) stay below this many digits. */
export const MAX_SERIAL_DIGITS = 38;

/**
 * How the serials of one issuance are written: `width` 0 for natural numbers, otherwise every serial has exactly `width`
 * digits, zeros in front included.
 */
export interface SerialForm {
  readonly width: number;
}

/** An inclusive range of serials. */
export interface SerialRange {
  readonly first: bigint;
  readonly last: bigint;
}

const DIGITS = /^[0-9]+$/;
const NATURAL = /^[1-9][0-9]*$/;

function refused(detail: string, code: string): DomainError {
  return invalidRequest(detail, [{ detail, code }]);
}

/**
 * The written form of an issuance's serials, told from its first and last serial.
 *
 * Equal lengths give that width; different lengths are natural numbers and then may have no zero in front.
 * @throws DomainError `invalid-request` for anything but two serials of one form in ascending order.
 */
export function serialFormOf(firstSerial: string, lastSerial: string): SerialForm {
  for (const serial of [firstSerial, lastSerial]) {
    if (!DIGITS.test(serial)) throw refused('A serial consists of digits only.', 'serial-not-digits');
    if (serial.length > MAX_SERIAL_DIGITS)
      throw refused(`A serial has at most ${MAX_SERIAL_DIGITS} digits.`, 'serial-too-long');
  }
  if (firstSerial === '0') throw refused('Serials count from 1.', 'serial-zero');
  const isFixed = firstSerial.length === lastSerial.length;
  if (!isFixed && (firstSerial.startsWith('0') || lastSerial.startsWith('0'))) {
    throw refused('Serials with leading zeros must all have the same number of digits.', 'serial-width');
  }
  if (BigInt(firstSerial) > BigInt(lastSerial)) throw refused('The first serial is above the last.', 'serial-order');
  return { width: isFixed ? firstSerial.length : 0 };
}

/**
 * Reads a serial in the written form of its issuance. Only the one canonical text of a number is accepted, so that two
 * texts never name one certificate.
 * @throws DomainError `invalid-request`
 */
export function parseSerial(text: string, form: SerialForm): bigint {
  if (form.width === 0) {
    if (text.length > MAX_SERIAL_DIGITS || !NATURAL.test(text)) {
      throw refused('The serial must be a number from 1, without leading zeros.', 'serial-form');
    }
  } else if (text.length !== form.width || !DIGITS.test(text)) {
    throw refused(`The serial must have exactly ${form.width} digits.`, 'serial-form');
  }
  return BigInt(text);
}

/**
 * Writes a serial in the form of its issuance.
 * @throws RangeError when the number doesn't fit: the ledger is then wrong, not the request.
 */
export function formatSerial(value: bigint, form: SerialForm): string {
  const digits = value.toString();
  if (value < 0n || digits.length > (form.width || MAX_SERIAL_DIGITS) || (form.width === 0 && value === 0n)) {
    throw new RangeError(`serial ${digits} does not fit the form of width ${form.width}`);
  }
  return form.width === 0 ? digits : digits.padStart(form.width, '0');
}

/** A certificate as clients write it, taken apart; the serial is still text, because only the issuance knows its form. */
export interface CertificateRef {
  readonly issuanceId: string;
  readonly serial: string;
}

/**
 * Splits `<issuance id>_<serial>` at the last underscore.
 * @throws DomainError `invalid-request` without an underscore, an issuance id or a serial of digits.
 */
export function parseCertificateRef(text: string): CertificateRef {
  const cut = text.lastIndexOf('_');
  const serial = text.slice(cut + 1);
  if (cut < 1 || serial.length > MAX_SERIAL_DIGITS || !DIGITS.test(serial)) {
    throw refused('A certificate is written <issuance_id>_<serial>.', 'certificate-form');
  }
  return { issuanceId: text.slice(0, cut), serial };
}

/** The text `<issuance id>_<serial>`; the serial comes from {@link formatSerial}. */
export function formatCertificateRef(issuanceId: string, serial: string): string {
  return `${issuanceId}_${serial}`;
}

/** Number of certificates in a range. */
export function rangeVolume(range: SerialRange): bigint {
  return range.last - range.first + 1n;
}

/** Whether two ranges of one issuance share a certificate. */
export function rangesOverlap(a: SerialRange, b: SerialRange): boolean {
  return a.first <= b.last && b.first <= a.last;
}
