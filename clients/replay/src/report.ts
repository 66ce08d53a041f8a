import { rangeVolume } from '@saleschannel/primitives';
import { sumFileVolumes, type LedgerTotals } from './api/totals.ts';
import type { RowProblem } from './file/bad-row.ts';
import { sumVolumes } from './file/ranges.ts';
import type { Kind } from './file/row.ts';
import type { Plan } from './plan/plan.ts';
import type { StepKind } from './plan/steps.ts';
import type { RunResult } from './run/run-plan.ts';
import type { TasksByOutcome } from './run/tally.ts';

/**
 * Result of a replay. Certificates are counted in decimal strings, because they may exceed the range of JSON numbers.
 */
export interface Report {
  readonly file: string;
  readonly salesChannelId: string;
  readonly rows: { readonly read: number; readonly applied: number; readonly bad: number; readonly failed: number };
  /** Serial ranges of usable rows, by kind. */
  readonly ranges: Readonly<Record<Kind, number>>;
  readonly facilities: number;
  readonly issuances: number;
  /** Volumes of usable rows. `traded` precedes a range and goes to the second trader. */
  readonly certificates: {
    readonly issued: string;
    readonly retired: string;
    readonly offramped: string;
    readonly traded: string;
  };
  readonly tasks: Readonly<Record<StepKind, TasksByOutcome>> & { readonly new: number; readonly replayed: number };
  /** Ledger totals of these issuances. Null if they could not be read. */
  readonly ledger: LedgerTotals | null;
  readonly elapsedMs: number;
  /** Ranges of retirements and cancellations per second, overall. */
  readonly rangesPerSecond: number;
  /** In file order. */
  readonly problems: readonly RowProblem[];
  /** True if every row was applied and all totals agree. */
  readonly ok: boolean;
  /** Reasons if not. */
  readonly reasons: readonly string[];
}

/** Inputs of a report. */
interface ReplayResult extends RunResult {
  readonly file: string;
  readonly salesChannelId: string;
  readonly plan: Plan;
  /** Unusable rows. */
  readonly bad: readonly RowProblem[];
  readonly elapsedMs: number;
}

export function createReport(replayed: ReplayResult): Report {
  const { file, salesChannelId, plan, bad, tally, ledger, elapsedMs } = replayed;
  const rows = plan.issuances.flatMap(({ batch }) => batch.rows);
  const ranges = { issuance: 0, retirement: 0, cancellation: 0 };
  for (const row of rows) ranges[row.kind] += row.ranges.length;
  const { problems } = tally;
  const failed = problems.length;
  const read = rows.length + bad.length;
  const reasons = findReasons(replayed, read, failed);
  return {
    file,
    salesChannelId,
    rows: { read, applied: rows.length - failed, bad: bad.length, failed },
    ranges,
    facilities: plan.facilities,
    issuances: plan.issuances.length,
    certificates: sumCertificates(plan),
    tasks: { ...tally.tasks, new: tally.created, replayed: tally.replayed },
    ledger: ledger ?? null,
    elapsedMs: Math.round(elapsedMs),
    rangesPerSecond: tally.rangesDone / (elapsedMs / 1_000),
    problems: [...bad, ...problems].toSorted((a, b) => a.line - b.line),
    ok: reasons.length === 0,
    reasons,
  };
}

/** Why the replay is not complete. */
function findReasons({ plan, bad, ledger, stopped }: ReplayResult, read: number, failed: number): string[] {
  const differing = ledger?.disagreements.length ?? 0;
  const issuances = plan.issuances.length;
  return [
    stopped ?? [],
    read === 0 ? 'the file has no rows' : [],
    bad.length > 0 ? `${bad.length} of ${read} rows are bad` : [],
    failed > 0 ? `${failed} of ${read} rows failed` : [],
    differing > 0 ? `the ledger's totals differ from the file's for ${differing} of ${issuances} issuances` : [],
  ].flat();
}

function sumCertificates({ issuances }: Plan): Report['certificates'] {
  const volumes = issuances.map(sumFileVolumes);
  const sum = (name: 'issued' | 'retired' | 'offramped'): string =>
    sumVolumes(volumes.map((volume) => volume[name])).toString();
  const trades = issuances.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'trade'));
  return {
    issued: sum('issued'),
    retired: sum('retired'),
    offramped: sum('offramped'),
    traded: sumVolumes(trades.map(rangeVolume)).toString(),
  };
}
