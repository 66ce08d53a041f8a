import type { HolderTransaction } from '../../holder/transactions.ts';
import { rangeOf } from '../../holder/values.ts';
import { text } from './text.ts';

/** Whether the account holder decides: one of its traders sells. What it buys waits for others. */
export const isOwnDecision = (
  { sellerId }: Pick<HolderTransaction, 'sellerId'>,
  traders: ReadonlySet<string>,
): boolean => sellerId !== null && traders.has(sellerId);

const MINUTE_MS = 60_000;

export const minutesSince = (time: string, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(time)) / MINUTE_MS));

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
