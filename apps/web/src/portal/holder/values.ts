import type { Schemas } from '../../shared/api/client.ts';
import { extractSerial, sumVolumes } from '../../shared/format/serials.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { onboardedTraders, type Proposal } from './holder.ts';
import type { HolderTransaction } from './transactions.tsx';

type Asset = Schemas['TransactionAsset'];

export const sumAssets = (assets: readonly Pick<Asset, 'volume'>[]): bigint =>
  sumVolumes(assets.map(({ volume }) => volume));

const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;

const text = translate({
  range: (first: string, last: string) => `${first} to ${last}`,
  more: (first: string, count: number) => `${first}, ${count} more`,
  age(minutes: number) {
    if (minutes < MINUTES_OF_HOUR) return `${minutes} min`;
    const hours = Math.floor(minutes / MINUTES_OF_HOUR);
    return hours < 2 * HOURS_OF_DAY ? `${hours} h` : `${Math.floor(hours / HOURS_OF_DAY)} days`;
  },
});

/** Serials of an asset, such as `121 to 150`. */
export const formatRange = ({ start, end }: Pick<Asset, 'start' | 'end'>): string =>
  start === end ? extractSerial(start) : text.range(extractSerial(start), extractSerial(end));

/** Waiting time for display. @param now milliseconds since 1970 */
export const formatAge = (since: string, now: number): string =>
  text.age(Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS)));

/** Whether the account holder is the seller, who decides. */
export const isOwnDecision = (
  { sellerId }: Pick<HolderTransaction, 'sellerId'>,
  proposals: readonly Pick<Proposal, 'status' | 'onboardedTraderId'>[],
): boolean => sellerId !== null && onboardedTraders(proposals).has(sellerId);

/** First range, and the number of further ranges. */
export function formatRanges(assets: HolderTransaction['assets']): string | null {
  const [first] = assets;
  if (!first) return null;
  const range = formatRange(first);
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
