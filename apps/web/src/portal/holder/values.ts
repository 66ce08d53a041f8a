import type { Schemas } from '../../shared/api/client.ts';
import { digits } from '../../shared/format/numbers.ts';
import { serialOf, sum } from '../../shared/format/serials.ts';

type Asset = Schemas['TransactionAsset'];

export const volumeOf = (assets: readonly Pick<Asset, 'volume'>[]): bigint => sum(assets.map(({ volume }) => volume));

/** A price as whole units of its last digit, and how many of them are behind the point. */
function partsOf(price: number): { readonly units: bigint; readonly places: number } {
  const [whole = '0', fraction = ''] = String(price).split('.');
  return { units: BigInt(whole + fraction), places: fraction.length };
}

/**
 * What all certificates cost, to the last digit: prices are counted as whole numbers. Undefined when one has no price,
 * or one so small that it is written with an exponent.
 */
export function worthOf(assets: readonly Pick<Asset, 'volume' | 'unitPrice'>[]): string | undefined {
  const prices = assets.map(({ unitPrice }) => unitPrice);
  if (!prices.every((price) => price !== null && !String(price).includes('e'))) return undefined;
  const places = Math.max(2, ...prices.map((price) => partsOf(price as number).places));
  let total = 0n;
  for (const { volume, unitPrice } of assets) {
    const { units, places: own } = partsOf(unitPrice as number);
    total += units * 10n ** BigInt(places - own) * BigInt(volume);
  }
  const text = String(total).padStart(places + 1, '0');
  return `${digits(text.slice(0, -places))}.${text.slice(-places)}`;
}

/** The serials of an asset: `121 to 150`, as the text says it. */
export const rangeOf = (
  { start, end }: Pick<Asset, 'start' | 'end'>,
  say: (first: string, last: string) => string,
): string => (start === end ? serialOf(start) : say(serialOf(start), serialOf(end)));
