import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { faultsOf } from '../domain/bundle-book.ts';
import { readSelections, startsOf } from '../domain/selection.ts';
import { readCovering } from '../store/bundles.ts';

/** On the way of every transfer: one query for all checks. */
export const checkSelections: Rpc<'selectionCheck.CheckSelections', Context> =
  ({ database }) =>
  async ({ checks }) => {
    const read = checks.map((check) => ({ ...check, outcome: readSelections(check.selections) }));
    const starts = read.flatMap(({ outcome }) => ('faults' in outcome ? [] : startsOf(outcome.selections)));
    const bundles = starts.length > 0 ? await readCovering(database.em(), starts) : [];
    const byIssuance = Map.groupBy(bundles, ({ issuance }) => issuance.issuanceId);
    const verdicts = read.map(({ salesChannelId, traderId, outcome }) => {
      if ('faults' in outcome) return outcome;
      const issuanceIds = [...new Set(outcome.selections.map(({ issuanceId }) => issuanceId))];
      const own = issuanceIds.flatMap((issuanceId) => byIssuance.get(issuanceId) ?? []);
      return { faults: faultsOf(outcome.selections, own, { ownerId: traderId, salesChannelId }) };
    });
    return { verdicts };
  };
