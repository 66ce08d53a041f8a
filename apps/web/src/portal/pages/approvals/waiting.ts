import type { HolderTransaction } from '../../holder/transactions.ts';
import { rangeOf } from '../../holder/values.ts';
import { text } from './text.ts';

/** The first range, and how many there are besides. */
export function rangesOf(assets: HolderTransaction['assets']): string | null {
  const [first] = assets;
  if (!first) return null;
  const range = rangeOf(first, text.range);
  return assets.length === 1 ? range : text.more(range, assets.length - 1);
}

/** The lowest price, and whether there are others. Null where there is none. */
export function lowestPrice(
  assets: readonly { readonly unitPrice: number | null }[],
): { readonly price: number; readonly isOnly: boolean } | null {
  const prices = assets.flatMap(({ unitPrice }) => unitPrice ?? []);
  if (prices.length === 0) return null;
  const price = Math.min(...prices);
  return { price, isOnly: prices.every((each) => each === price) };
}
