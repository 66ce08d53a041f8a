import { fileVolumes, type LedgerTotals } from './api/totals.ts';
import { totalOf, volumeOf } from './file/ranges.ts';
import type { Plan } from './plan/plan.ts';
import type { StepKind } from './plan/steps.ts';
import type { Tally, TasksByStatus } from './run.ts';

/** A row that was not applied, and why. */
export interface RowProblem {
  readonly line: number;
  readonly reason: string;
}

/** What a replay did. Certificates are counted in decimal strings: they may exceed what a number of JSON holds. */
export interface Account {
  readonly file: string;
  readonly salesChannelId: string;
  readonly rows: { readonly read: number; readonly applied: number; readonly bad: number; readonly failed: number };
  /** Serial ranges in the usable rows, by kind of row. */
  readonly ranges: { readonly issuance: number; readonly retirement: number; readonly cancellation: number };
  readonly facilities: number;
  readonly issuances: number;
  /** Of the usable rows; `traded` lie before a range and went to the second trader. */
  readonly certificates: {
    readonly issued: string;
    readonly retired: string;
    readonly offramped: string;
    readonly traded: string;
  };
  readonly tasks: Readonly<Record<StepKind, TasksByStatus>> & { readonly new: number; readonly replayed: number };
  /** The ledger's own totals of these issuances; null when they could not be read. */
  readonly ledger: LedgerTotals | null;
  readonly elapsedMs: number;
  /** Ranges of retirements and cancellations, over the whole time. */
  readonly rangesPerSecond: number;
  /** In the order of the file. */
  readonly problems: readonly RowProblem[];
  /** Every row was applied and all totals agree. */
  readonly ok: boolean;
  /** Why not. */
  readonly reasons: readonly string[];
}

function certificatesOf({ issuances }: Plan): Account['certificates'] {
  const volumes = issuances.map(fileVolumes);
  const sum = (field: 'issued' | 'retired' | 'offramped'): string =>
    totalOf(volumes.map((volume) => volume[field])).toString();
  const traded = issuances.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'trade').map(volumeOf));
  return {
    issued: sum('issued'),
    retired: sum('retired'),
    offramped: sum('offramped'),
    traded: totalOf(traded).toString(),
  };
}

export interface Replayed {
  readonly file: string;
  readonly salesChannelId: string;
  readonly plan: Plan;
  readonly bad: readonly RowProblem[];
  readonly tally: Tally;
  readonly ledger: LedgerTotals | null;
  /** Why it ended early. */
  readonly stopped: string | undefined;
  readonly elapsedMs: number;
}

function reasonsOf({ plan, bad, tally, ledger, stopped }: Replayed, read: number): string[] {
  const failed = tally.problems.size;
  const differing = ledger?.disagreements.length ?? 0;
  return [
    stopped ?? [],
    read === 0 ? 'the file has no rows' : [],
    bad.length > 0 ? `${bad.length} of ${read} rows are bad` : [],
    failed > 0 ? `${failed} of ${read} rows failed` : [],
    differing > 0
      ? `the ledger's totals differ from the file's for ${differing} of ${plan.issuances.length} issuances`
      : [],
  ].flat();
}

export function accountOf(replayed: Replayed): Account {
  const { file, salesChannelId, plan, bad, tally, ledger, elapsedMs } = replayed;
  const rows = plan.issuances.flatMap(({ batch }) => batch.rows);
  const ranges = { issuance: 0, retirement: 0, cancellation: 0 };
  for (const row of rows) ranges[row.kind] += row.ranges.length;
  const failed = tally.problems.size;
  const read = rows.length + bad.length;
  const reasons = reasonsOf(replayed, read);
  return {
    file,
    salesChannelId,
    rows: { read, applied: rows.length - failed, bad: bad.length, failed },
    ranges,
    facilities: plan.facilities,
    issuances: plan.issuances.length,
    certificates: certificatesOf(plan),
    tasks: { ...tally.tasks, new: tally.made, replayed: tally.replayed },
    ledger,
    elapsedMs: Math.round(elapsedMs),
    rangesPerSecond: tally.rangesDone / (elapsedMs / 1_000),
    problems: [...bad, ...[...tally.problems].map(([line, reason]) => ({ line, reason }))].toSorted(
      (a, b) => a.line - b.line,
    ),
    ok: reasons.length === 0,
    reasons,
  };
}
