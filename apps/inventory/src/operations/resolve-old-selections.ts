import type { EntityManager } from '@saleschannel/database';
import { MAX_SERIAL_DIGITS } from '@saleschannel/primitives';
import type { Bundle } from '../domain/bundle.ts';
import type { Fault, Selection, SelectionText } from '../domain/selection.ts';
import { readContainingOldSerials, type OldSerial } from '../store/bundles.ts';

/**
 * A selection of the previous generation of the API: serials of the old form, without issuance. A GSRN leads such a
 * serial, so no two issuances should share it. If two do, the selection is refused as ambiguous.
 */
type OldSelection = Omit<Selection, 'issuanceId'>;

const DIGITS = new RegExp(`^[0-9]{1,${MAX_SERIAL_DIGITS}}$`);

const MALFORMED = { code: 'serial-form', detail: `Expected a serial of 1 to ${MAX_SERIAL_DIGITS} digits.` } as const;

function parseOldSelections(texts: readonly SelectionText[]): { selections: OldSelection[] } | { faults: Fault[] } {
  const faults = texts.flatMap((text, index) =>
    (['start', 'end'] as const)
      .filter((field) => !DIGITS.test(text[field]))
      .map((field): Fault => ({ index, field, ...MALFORMED })),
  );
  if (faults.length > 0) return { faults };
  return {
    selections: texts.map(({ start, end }) => ({
      first: BigInt(start),
      last: BigInt(end),
      firstText: start,
      lastText: end,
    })),
  };
}

/**
 * Finds the issuance of a selection.
 * @param holding bundles of the trader that contain the first certificate, at most one per issuance
 */
function resolveOldSelection(
  selection: OldSelection,
  index: number,
  holding: readonly Bundle[],
): { selection: Selection } | Fault {
  const fitting = holding.filter(({ issuance, last }) => !issuance.expired && selection.last <= last);
  if (fitting.length > 1) {
    const detail = 'Bundles of several issuances hold these serials. Name the issuance, as the current API does.';
    return { index, field: 'start', code: 'ambiguous', detail };
  }
  // If none fits, the fault is reported for the closest one.
  const [bundle = holding.toSorted(byReach)[0]] = fitting;
  if (!bundle)
    return {
      index,
      field: 'start',
      code: 'bundle',
      detail: 'This certificate is not in a bundle that the owner can move.',
    };
  return { selection: { ...selection, issuanceId: bundle.issuance.issuanceId } };
}

const byReach = (a: Bundle, b: Bundle): number =>
  Number(a.issuance.expired) - Number(b.issuance.expired) || (a.last > b.last ? -1 : 1);

/** The selections of one request of the previous generation. */
export interface OldRequest {
  readonly salesChannelId: string;
  readonly traderId: string;
  readonly selections: readonly SelectionText[];
}

export type ResolvedSelections = { readonly selections: Selection[] } | { readonly faults: Fault[] };

/** Finds the issuances of all selections with one query. */
export async function resolveOldSelections(
  em: EntityManager,
  requests: readonly OldRequest[],
): Promise<ReadonlyMap<OldRequest, ResolvedSelections>> {
  const read = requests.map((request) => ({ request, outcome: parseOldSelections(request.selections) }));
  const serials = read.flatMap(({ request, outcome }) =>
    'faults' in outcome ? [] : outcome.selections.map(({ first }) => toOldSerial(request, first)),
  );
  const bundles = (serials.length > 0 ? await readContainingOldSerials(em, serials) : []).values();
  return new Map(
    read.map(({ request, outcome }): [OldRequest, ResolvedSelections] => {
      if ('faults' in outcome) return [request, outcome];
      return [request, resolveAll(outcome.selections, () => bundles.next().value ?? [])];
    }),
  );
}

const toOldSerial = ({ salesChannelId, traderId }: OldRequest, serial: bigint): OldSerial => ({
  salesChannelId,
  traderId,
  serial,
});

function resolveAll(
  selections: readonly OldSelection[],
  nextBundles: () => Parameters<typeof resolveOldSelection>[2],
): ResolvedSelections {
  const outcomes = selections.map((selection, index) => resolveOldSelection(selection, index, nextBundles()));
  const faults = outcomes.flatMap((outcome) => ('code' in outcome ? [outcome] : []));
  if (faults.length > 0) return { faults };
  return { selections: outcomes.flatMap((outcome) => ('code' in outcome ? [] : [outcome.selection])) };
}
