/** Digits that a price has after the point, at most. */
const FRACTION_DIGITS = 6;

/** The exact total of a price as it was typed, reckoned in whole numbers. */
function totalOf(price: string, volume: bigint): string {
  const [whole = '0', fraction = ''] = price.split('.');
  const total = BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0')) * volume;
  const digits = total.toString().padStart(FRACTION_DIGITS + 1, '0');
  // Two digits stay after the point.
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS).replace(/0{1,4}$/, '')}`;
}

/** What certificates are sold or retired for, for people. */
export function priceText(price: string | undefined, currency: string | null, volume: bigint): string {
  if (price !== undefined) return `${price} ${currency} each, ${totalOf(price, volume)} ${currency} in total`;
  return currency === null ? 'none' : `none, in ${currency}`;
}
