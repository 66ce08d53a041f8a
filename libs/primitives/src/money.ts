import { invalidRequest } from '@saleschannel/errors';
import type { DomainError } from '@saleschannel/errors';

/** Fraction digits that a unit price may have. */
export const UNIT_PRICE_FRACTION_DIGITS = 6;
/** Highest unit price in units of the currency. */
export const MAX_UNIT_PRICE = 1_000_000_000n;

const MICROS_PER_UNIT = 1_000_000n;
const MAX_UNIT_PRICE_MICROS = MAX_UNIT_PRICE * MICROS_PER_UNIT;
/** Longer texts are no price, and an exponent such as 1e999999999 must not become a text of that length. */
const MAX_PRICE_TEXT_LENGTH = 64;
const MAX_EXPONENT = 64;
/** The grammar of a JSON number, RFC 8259 section 6. */
const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/;
const CANONICAL_PRICE = /^(0|[1-9][0-9]*)(?:\.([0-9]{0,5}[1-9]))?$/;

function refused(detail: string, code: string, pointer: string | undefined): DomainError {
  return invalidRequest(detail, [{ ...(pointer === undefined ? {} : { pointer }), detail, code }]);
}

/** The exact number of millionths, or undefined when a digit is below a millionth. */
function microsOf(whole: string, fraction: string, exponent: number): bigint | undefined {
  const digits = (whole + fraction).replace(/0+$/, '');
  if (/^0*$/.test(digits)) return 0n;
  const trailingZeros = whole.length + fraction.length - digits.length;
  const power = exponent - fraction.length + trailingZeros + UNIT_PRICE_FRACTION_DIGITS;
  if (power < 0) return undefined;
  return BigInt(digits) * 10n ** BigInt(power);
}

function formatMicros(micros: bigint): string {
  const fraction = (micros % MICROS_PER_UNIT).toString().padStart(UNIT_PRICE_FRACTION_DIGITS, '0').replace(/0+$/, '');
  const whole = (micros / MICROS_PER_UNIT).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The exact canonical decimal text of a unit price (no exponent, no trailing zero): 0 or more, at most
 * {@link UNIT_PRICE_FRACTION_DIGITS} fraction digits, at most {@link MAX_UNIT_PRICE}.
 *
 * A number is taken by its shortest round-trip text, which is what the client wrote (15 digits always survive); a text must
 * be a JSON number. No arithmetic is ever done on the binary value.
 * @param pointer JSON pointer of the value in the request, for the violation, e.g. `#/assets/0/unitPrice`
 * @throws DomainError `invalid-request`
 */
export function unitPriceFromJson(price: number | string, pointer?: string): string {
  const text = String(price);
  const match = text.length <= MAX_PRICE_TEXT_LENGTH ? JSON_NUMBER.exec(text) : null;
  if (!match) throw refused('The unit price must be a number.', 'unit-price-form', pointer);
  const [, sign, whole = '0', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) throw refused('The unit price is out of range.', 'unit-price-range', pointer);
  const micros = microsOf(whole, fraction, exponent);
  if (micros === undefined) {
    throw refused(
      `The unit price has at most ${UNIT_PRICE_FRACTION_DIGITS} fraction digits.`,
      'unit-price-fraction',
      pointer,
    );
  }
  if ((sign === '-' && micros !== 0n) || micros > MAX_UNIT_PRICE_MICROS) {
    throw refused(`The unit price must be between 0 and ${MAX_UNIT_PRICE}.`, 'unit-price-range', pointer);
  }
  return formatMicros(micros);
}

/** One position of a sum: a canonical unit price and a number of certificates. */
export interface PricedVolume {
  readonly unitPrice: string;
  readonly volume: bigint;
}

/**
 * The exact sum of price × volume as canonical decimal text.
 * @throws RangeError for a price not made by {@link unitPriceFromJson}
 */
export function totalPrice(lines: Iterable<PricedVolume>): string {
  let totalMicros = 0n;
  for (const { unitPrice, volume } of lines) {
    const match = CANONICAL_PRICE.exec(unitPrice);
    if (!match) throw new RangeError(`"${unitPrice}" is not a canonical price`);
    const [, whole = '0', fraction = ''] = match;
    totalMicros += BigInt(whole + fraction.padEnd(UNIT_PRICE_FRACTION_DIGITS, '0')) * volume;
  }
  return formatMicros(totalMicros);
}
