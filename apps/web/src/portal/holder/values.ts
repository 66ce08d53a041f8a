import type { Schemas } from '../../shared/api/client.ts';
import { extractSerial, sumVolumes } from '../../shared/format/serials.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { onboardedTraders, type Proposal } from './holder.ts';
import type { HolderTransaction } from './transactions.ts';

type Asset = Schemas['TransactionAsset'];

export const sumAssets = (assets: readonly Pick<Asset, 'volume'>[]): bigint =>
  sumVolumes(assets.map(({ volume }) => volume));

/** Serials of an asset, such as `121 to 150`. @param format joins the first and the last serial */
export const formatRange = (
  { start, end }: Pick<Asset, 'start' | 'end'>,
  format: (first: string, last: string) => string,
): string => (start === end ? extractSerial(start) : format(extractSerial(start), extractSerial(end)));

const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;

const text = translate({
  age(minutes: number) {
    if (minutes < MINUTES_OF_HOUR) return `${minutes} min`;
    const hours = Math.floor(minutes / MINUTES_OF_HOUR);
    return hours < 2 * HOURS_OF_DAY ? `${hours} h` : `${Math.floor(hours / HOURS_OF_DAY)} days`;
  },
});

/** Waiting time for display. @param now milliseconds since 1970 */
export const formatAge = (since: string, now: number): string =>
  text.age(Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS)));

/** Whether the account holder is the seller, who decides. */
export const isOwnDecision = (
  { sellerId }: Pick<HolderTransaction, 'sellerId'>,
  proposals: readonly Pick<Proposal, 'status' | 'onboardedTraderId'>[],
): boolean => sellerId !== null && onboardedTraders(proposals).has(sellerId);
