import type { Schemas } from '../../shared/api/client.ts';
import { serialOf, sum } from '../../shared/format/serials.ts';

type Asset = Schemas['TransactionAsset'];

export const volumeOf = (assets: readonly Pick<Asset, 'volume'>[]): bigint => sum(assets.map(({ volume }) => volume));

/** The serials of an asset: `121 to 150`, as the text says it. */
export const rangeOf = (
  { start, end }: Pick<Asset, 'start' | 'end'>,
  say: (first: string, last: string) => string,
): string => (start === end ? serialOf(start) : say(serialOf(start), serialOf(end)));
