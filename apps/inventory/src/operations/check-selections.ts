import type { Database } from '@saleschannel/database';
import { BundleBook, type Fault } from '../domain/bundle-book.ts';
import { readSelections, type SelectionText } from '../domain/selection.ts';
import { readCovering } from '../store/bundles.ts';

export interface SelectionCheckInput {
  salesChannelId: string;
  traderId: string;
  selections: readonly SelectionText[];
}

/** Whether each check's selections could be moved now, each as if it were alone; one query for all of them. */
export async function checkSelections(database: Database, checks: readonly SelectionCheckInput[]): Promise<Fault[][]> {
  const read = checks.map((check) => readSelections(check.selections));
  const points = read.flatMap((each) =>
    'faults' in each ? [] : each.selections.map(({ issuanceId, first }) => ({ issuanceId, serial: first })),
  );
  const bundles = points.length > 0 ? await readCovering(database.em(), points) : [];
  const byIssuance = Map.groupBy(bundles, (bundle) => bundle.issuance.issuanceId);
  return checks.map(({ salesChannelId, traderId }, index) => {
    const each = read[index];
    if (!each || 'faults' in each) return each?.faults ?? [];
    const book = new BundleBook();
    for (const issuanceId of new Set(each.selections.map((selection) => selection.issuanceId))) {
      for (const bundle of byIssuance.get(issuanceId) ?? []) book.add({ ...bundle });
    }
    const from = { ownerId: traderId, salesChannelId, states: ['LISTABLE'] as const };
    const outcome = book.move({
      selections: each.selections,
      from,
      to: { ownerId: traderId, salesChannelId, state: 'RESERVED' },
    });
    return 'faults' in outcome ? outcome.faults : [];
  });
}
