import type { EntityManager } from '@saleschannel/database';
import { nameSelection, readOldSelections, type OldSelection } from '../domain/old-selection.ts';
import type { Fault, Selection, SelectionText } from '../domain/selection.ts';
import { readHoldingOldSerials, type OldSerial } from '../store/bundles.ts';

/** Selections of a request of the previous generation. */
export interface OldRequest {
  readonly salesChannelId: string;
  readonly traderId: string;
  readonly selections: readonly SelectionText[];
}

export type Named = { readonly selections: Selection[] } | { readonly faults: Fault[] };

/** Finds the issuances of the selections of all requests, with one query. */
export async function nameOldSelections(
  em: EntityManager,
  requests: readonly OldRequest[],
): Promise<ReadonlyMap<OldRequest, Named>> {
  const read = requests.map((request) => ({ request, outcome: readOldSelections(request.selections) }));
  const serials = read.flatMap(({ request, outcome }) =>
    'faults' in outcome ? [] : outcome.selections.map(({ first }) => serialOf(request, first)),
  );
  const holding = (serials.length > 0 ? await readHoldingOldSerials(em, serials) : []).values();
  return new Map(
    read.map(({ request, outcome }): [OldRequest, Named] => {
      if ('faults' in outcome) return [request, outcome];
      return [request, nameAll(outcome.selections, () => holding.next().value ?? [])];
    }),
  );
}

const serialOf = ({ salesChannelId, traderId }: OldRequest, serial: bigint): OldSerial => ({
  salesChannelId,
  traderId,
  serial,
});

function nameAll(selections: readonly OldSelection[], nextHolding: () => Parameters<typeof nameSelection>[2]): Named {
  const named = selections.map((selection, index) => nameSelection(selection, index, nextHolding()));
  const faults = named.flatMap((outcome) => ('code' in outcome ? [outcome] : []));
  if (faults.length > 0) return { faults };
  return { selections: named.flatMap((outcome) => ('code' in outcome ? [] : [outcome.selection])) };
}
