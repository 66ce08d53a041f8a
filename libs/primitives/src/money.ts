declare const brand: unique symbol;
/** Unit price as exact decimal text, without exponent, leading and trailing zeros. */
export type UnitPrice = string & { readonly [brand]: 'UnitPrice' };

/** Maximum number of fraction digits of a unit price. */
export const UNIT_PRICE_FRACTION_DIGITS = 6;
/** Highest unit price in units of the currency. */
export const MAX_UNIT_PRICE = 1_000_000_000n;

const MICROS_PER_UNIT = 1_000_000n;
const MAX_UNIT_PRICE_MICROS = MAX_UNIT_PRICE * MICROS_PER_UNIT;
/** Longer texts are rejected, and so are exponents such as 1e999999999, whose digits would fill the memory. */
const MAX_PRICE_TEXT_LENGTH = 64;
const MAX_EXPONENT = 64;
/** The grammar of a JSON number, RFC 8259 section 6. */
const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/;

interface PricedVolume {
  /** A {@link UnitPrice}. Rows of the ledger have the same text. */
  readonly unitPrice: string | null;
  readonly volume: bigint;
}

/** Returns the exact sum of `unitPrice` × `volume`, as decimal text. Undefined if a price is missing. */
export function computeTotalPrice(priced: readonly PricedVolume[]): string | undefined {
  let total = 0n;
  for (const { unitPrice, volume } of priced) {
    if (unitPrice === null) return undefined;
    const [whole = '0', fraction = ''] = unitPrice.split('.');
    total += BigInt(whole + fraction.padEnd(UNIT_PRICE_FRACTION_DIGITS, '0')) * volume;
  }
  return priced.length === 0 ? undefined : formatMicros(total);
}

/** Reason why a text is not a unit price. */
export type UnitPriceFault = 'not-a-number' | 'too-many-fraction-digits' | 'negative' | 'too-high';

/** Removes trailing zeros with a loop, since a regular expression would take quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Returns the exact number of millionths, or undefined if a digit is below a millionth. */
function toMicros(whole: string, fraction: string, exponent: number): bigint | undefined {
  const all = whole + fraction;
  const digits = withoutTrailingZeros(all);
  if (/^0*$/.test(digits)) return 0n;
  const power = exponent - fraction.length + (all.length - digits.length) + UNIT_PRICE_FRACTION_DIGITS;
  return power < 0 ? undefined : BigInt(digits) * 10n ** BigInt(power);
}

function formatMicros(micros: bigint): string {
  const fraction = withoutTrailingZeros(
    (micros % MICROS_PER_UNIT).toString().padStart(UNIT_PRICE_FRACTION_DIGITS, '0'),
  );
  const whole = (micros / MICROS_PER_UNIT).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Parses a unit price from the text of a JSON number, without binary arithmetic. A price is 0 to {@link MAX_UNIT_PRICE}
 * and has at most {@link UNIT_PRICE_FRACTION_DIGITS} fraction digits.
 */
export function parseUnitPrice(text: string): { readonly price: UnitPrice } | { readonly fault: UnitPriceFault } {
  const match = text.length <= MAX_PRICE_TEXT_LENGTH ? JSON_NUMBER.exec(text) : null;
  if (!match) return { fault: 'not-a-number' };
  const [, sign, whole = '0', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (exponent > MAX_EXPONENT) return { fault: 'too-high' };
  const micros = exponent < -MAX_EXPONENT ? undefined : toMicros(whole, fraction, exponent);
  if (micros === undefined) return { fault: 'too-many-fraction-digits' };
  if (sign === '-' && micros !== 0n) return { fault: 'negative' };
  return micros > MAX_UNIT_PRICE_MICROS ? { fault: 'too-high' } : { price: formatMicros(micros) as UnitPrice };
}

/**
 * Returns the unit price that a client wrote as a JSON number. The caller must have checked its limits: a number within
 * them has at most 16 digits, so its shortest text is exact, canonical and without exponent.
 */
export const toUnitPrice = (value: number): UnitPrice => String(value) as UnitPrice;
