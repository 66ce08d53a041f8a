import { formatSerial } from '@saleschannel/primitives';
import { tryMove, type Taken } from './bundle-book.ts';
import type { Bundle, Holding } from './bundle.ts';
import type { Fault, Selection } from './selection.ts';

/** What a transfer would take, before anybody asks for it. */

/** As many as one request may have. */
export const SELECTIONS_AT_MOST = 1_000;

/** One selection, with the bundle that it would be taken from, as that is by then. */
export interface PlannedSelection {
  readonly issuance: Bundle['issuance'];
  readonly first: bigint;
  readonly last: bigint;
  readonly bundleFirst: bigint;
  readonly bundleLast: bigint;
}

const planned = ({ bundle, source, sourceFirst, first, last }: Taken): PlannedSelection => ({
  issuance: bundle.issuance,
  first,
  last,
  bundleFirst: sourceFirst,
  // However much is taken, what is left keeps the end of the bundle.
  bundleLast: source.last,
});

/** What the selections would take out of these bundles of a trader, or every fault of them. */
export function planOf(
  selections: readonly Selection[],
  bundles: readonly Bundle[],
  trader: Omit<Holding, 'state'>,
): { planned: PlannedSelection[] } | { faults: Fault[] } {
  const outcome = tryMove(selections, bundles, trader);
  return 'faults' in outcome ? outcome : { planned: outcome.taken.map(planned) };
}

/** A volume that cannot be had. */
export interface Shortage {
  readonly code: 'volume-unavailable' | 'too-many-bundles';
  readonly detail: string;
}

/**
 * The selections that take a volume from the first bundles on: all of a bundle before anything of the next one.
 * @param bundles in the order in which they are taken from, at most one more than a request may have selections
 */
export function selectVolume(bundles: readonly Bundle[], volume: bigint): Selection[] | Shortage {
  const selections: Selection[] = [];
  let missing = volume;
  for (const { issuance, first, last } of bundles) {
    if (missing === 0n || selections.length === SELECTIONS_AT_MOST) break;
    const end = last - first + 1n > missing ? first + missing - 1n : last;
    missing -= end - first + 1n;
    const [firstText, lastText] = [formatSerial(first, issuance.form), formatSerial(end, issuance.form)];
    selections.push({ issuanceId: issuance.issuanceId, first, last: end, firstText, lastText });
  }
  if (missing === 0n) return selections;
  const available = volume - missing;
  return bundles.length > SELECTIONS_AT_MOST
    ? {
        code: 'too-many-bundles',
        detail: `is more than one request can take: the ${SELECTIONS_AT_MOST} oldest bundles hold ${available}`,
      }
    : { code: 'volume-unavailable', detail: `is more than there is: ${available} can be moved` };
}
