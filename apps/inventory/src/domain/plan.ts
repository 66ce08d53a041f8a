import { formatSerial } from '@saleschannel/primitives';
import { tryMove, type TakenSelection } from './bundle-book.ts';
import type { Bundle, Holding } from './bundle.ts';
import type { Fault, Selection } from './selection.ts';

/** Limit of the public API for one request. */
export const MAX_SELECTIONS = 1_000;

/** A selection with the range of its bundle after the preceding selections of the plan. */
export interface PlannedSelection {
  readonly issuance: Bundle['issuance'];
  readonly first: bigint;
  readonly last: bigint;
  readonly bundleFirst: bigint;
  readonly bundleLast: bigint;
}

const toPlanned = ({ bundle, source, sourceFirst, first, last }: TakenSelection): PlannedSelection => ({
  issuance: bundle.issuance,
  first,
  last,
  bundleFirst: sourceFirst,
  // The remainder of a bundle keeps its end.
  bundleLast: source.last,
});

/** Plans a transfer of the selections out of a trader's bundles. Returns every fault if it is not possible. */
export function tryPlan(
  selections: readonly Selection[],
  bundles: readonly Bundle[],
  trader: Omit<Holding, 'state'>,
): { planned: PlannedSelection[] } | { faults: Fault[] } {
  const outcome = tryMove(selections, bundles, trader);
  return 'faults' in outcome ? outcome : { planned: outcome.taken.map(toPlanned) };
}

/** Reason why a volume is not available. */
export interface Shortage {
  readonly code: 'volume-unavailable' | 'too-many-bundles';
  readonly detail: string;
}

/**
 * Selects a volume from the bundles in order: whole bundles, and a part of the last one.
 * @param bundles at most one more than the limit of selections
 */
export function selectVolume(bundles: readonly Bundle[], volume: bigint): Selection[] | Shortage {
  const selections: Selection[] = [];
  let missing = volume;
  for (const { issuance, first, last } of bundles) {
    if (missing === 0n || selections.length === MAX_SELECTIONS) break;
    const end = last - first + 1n > missing ? first + missing - 1n : last;
    missing -= end - first + 1n;
    const [firstText, lastText] = [formatSerial(first, issuance.form), formatSerial(end, issuance.form)];
    selections.push({ issuanceId: issuance.issuanceId, first, last: end, firstText, lastText });
  }
  if (missing === 0n) return selections;
  const available = volume - missing;
  return bundles.length > MAX_SELECTIONS
    ? {
        code: 'too-many-bundles',
        detail: `is more than one request can take: the ${MAX_SELECTIONS} oldest bundles hold ${available}`,
      }
    : { code: 'volume-unavailable', detail: `is more than the ${available} certificates that can be moved` };
}
