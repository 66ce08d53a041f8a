import type { Schemas } from '../../../shared/api/client.ts';
import type { HolderTransaction } from '../../holder/transactions.ts';
import { formatRange } from '../../holder/values.ts';
import { text } from './text.ts';

export const addressFields = ['street1', 'street2', 'postalCode', 'city', 'country'] as const;
type Field = (typeof addressFields)[number];

/** Error pointers of the API. */
export const pointers: readonly string[] = addressFields.map((name) => `/address/${name}`);

/** Changes to an address. Only the second line can be removed; other emptied lines are left unchanged. */
export function diffAddress(
  valueOf: (name: Field) => string | undefined,
  before: Schemas['AccountHolderAddress'],
): Schemas['AccountHolderAddressPatch'] {
  const changed: Partial<Record<Field, string | null>> = {};
  for (const name of addressFields) {
    const value = valueOf(name) ?? null;
    if (value !== before[name] && (value !== null || name === 'street2')) changed[name] = value;
  }
  return changed as Schemas['AccountHolderAddressPatch'];
}

/** First range, and the number of further ranges. */
export function formatRanges(assets: HolderTransaction['assets']): string | null {
  const [first] = assets;
  if (!first) return null;
  const range = formatRange(first, text.range);
  return assets.length === 1 ? range : text.more(range, assets.length - 1);
}

/** Lowest price, and whether it is the only price. Null without prices. */
export function findLowestPrice(
  assets: readonly { readonly unitPrice: number | null }[],
): { readonly price: number; readonly isOnly: boolean } | null {
  const prices = assets.flatMap(({ unitPrice }) => unitPrice ?? []);
  if (prices.length === 0) return null;
  const price = Math.min(...prices);
  return { price, isOnly: prices.every((each) => each === price) };
}
