import type { RequestOf, ResponseOf, Rpc } from '@saleschannel/grpc';
import { formatCertificateRef } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { tryMove } from '../domain/bundle-book.ts';
import type { Bundle } from '../domain/bundle.ts';
import { readSelections, startsOf, type Selection } from '../domain/selection.ts';
import { nameOldSelections, type Named } from '../operations/name-old-selections.ts';
import { readCovering } from '../store/bundles.ts';

type Check = RequestOf<'selectionCheck.CheckSelections'>['checks'][number];
type Verdict = NonNullable<ResponseOf<'selectionCheck.CheckSelections'>['verdicts']>[number];

/** On the way of every transfer: one query for all checks, and one more where there are old ones among them. */
export const checkSelections: Rpc<'selectionCheck.CheckSelections', Context> =
  ({ database }) =>
  async ({ checks }) => {
    const em = database.em();
    const named = await nameOldSelections(
      em,
      checks.filter(({ previousGeneration }) => previousGeneration),
    );
    const read = checks.map((check) => ({ check, outcome: named.get(check) ?? readSelections(check.selections) }));
    const starts = read.flatMap(({ outcome }) => ('faults' in outcome ? [] : startsOf(outcome.selections)));
    const bundles = starts.length > 0 ? await readCovering(em, starts) : [];
    const byIssuance = Map.groupBy(bundles, ({ issuance }) => issuance.issuanceId);
    return { verdicts: read.map(({ check, outcome }) => verdictOn(check, outcome, byIssuance)) };
  };

function verdictOn(
  { salesChannelId, traderId, previousGeneration }: Check,
  outcome: Named,
  byIssuance: ReadonlyMap<string, readonly Bundle[]>,
): Verdict {
  if ('faults' in outcome) return outcome;
  const { selections } = outcome;
  const issuanceIds = [...new Set(selections.map(({ issuanceId }) => issuanceId))];
  const own = issuanceIds.flatMap((issuanceId) => byIssuance.get(issuanceId) ?? []);
  const trader = { ownerId: traderId, salesChannelId };
  const tried = tryMove(selections, own, trader, { anywhere: previousGeneration });
  const faults = 'faults' in tried ? tried.faults : [];
  return { faults, selections: previousGeneration && faults.length === 0 ? selections.map(rangeOf) : [] };
}

const rangeOf = ({ issuanceId, firstText, lastText }: Selection) => ({
  start: formatCertificateRef(issuanceId, firstText),
  end: formatCertificateRef(issuanceId, lastText),
});
