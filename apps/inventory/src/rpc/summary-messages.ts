import type { BundleSum } from '../store/summaries.ts';
import { documentOf, exactNumber } from './messages.ts';

/** The sums of bundles as one document: of all of them, and by each of the facets. */
export function summaryOf<Facet extends string>(sums: readonly BundleSum<Facet>[], facets: readonly Facet[]) {
  const sizeOf = ({ bundles, volume }: BundleSum<Facet>) => ({ bundles, volume: exactNumber(volume) });
  const by = (facet: Facet) =>
    sums
      .filter((sum) => sum.facet === facet && sum.value !== null)
      .map((sum) => ({ value: sum.value, ...sizeOf(sum) }));
  const all = sums.find(({ facet }) => facet === null);
  const summary = {
    ...(all ? sizeOf(all) : { bundles: 0, volume: 0 }),
    facets: Object.fromEntries(facets.map((facet) => [facet, by(facet)])),
  };
  return documentOf(JSON.stringify(summary));
}
