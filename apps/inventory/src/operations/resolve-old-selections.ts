import type { EntityManager } from '@saleschannel/database';
import { resolveOldSelection, parseOldSelections, type OldSelection } from '../domain/old-selection.ts';
import type { Fault, Selection, SelectionText } from '../domain/selection.ts';
import { readContainingOldSerials, type OldSerial } from '../store/bundles.ts';

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
