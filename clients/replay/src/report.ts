import { countCertificates } from '@saleschannel/primitives';
import { sumFileVolumes, type LedgerTotals } from './api/totals.ts';
import { sumVolumes, type RowProblem } from './file/ranges.ts';
import type { Kind } from './file/row.ts';
import type { Plan } from './plan/plan.ts';
import { stepKinds, type StepKind } from './plan/steps.ts';
import type { RunResult } from './run/run-plan.ts';
import { outcomes, type TasksByOutcome } from './run/transfers.ts';

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
    traded: sumVolumes(trades.map(countCertificates)).toString(),
  };
}

const PROBLEMS_SHOWN_AT_MOST = 1_000;
const DISAGREEMENTS_SHOWN_AT_MOST = 20;
const LABEL_WIDTH = 13;

/** Report for people. */
export const formatReport = (report: Report): string =>
  [
    `Report on ${report.file}`,
    ...fileLines(report),
    ...taskLines(report),
    ...ledgerLines(report),
    formatLine('time', `${(report.elapsedMs / 1_000).toFixed(1)} s, ${report.rangesPerSecond.toFixed(1)} ranges/s`),
    ...problemLines(report),
    report.ok ? 'Every row is applied and all totals agree.' : `NOT COMPLETE: ${report.reasons.join('; ')}`,
  ].join('\n');

/** Contents of the file. */
function fileLines({ rows, ranges, certificates, facilities, issuances }: Report): string[] {
  const { issuance, retirement, cancellation } = ranges;
  const { issued, retired, offramped, traded } = certificates;
  const all = issuance + retirement + cancellation;
  const parts = [
    `${groupDigits(retired)} to retire`,
    `${groupDigits(offramped)} to offramp`,
    `${groupDigits(traded)} to trade`,
  ];
  return [
    formatLine('rows', `${rows.read} read, ${rows.applied} applied, ${rows.bad} bad, ${rows.failed} failed`),
    formatLine('ranges', `${all}: ${issuance} to keep, ${retirement} to retire, ${cancellation} to offramp`),
    formatLine('certificates', `${groupDigits(issued)} issued: ${parts.join(', ')}`),
    formatLine(
      'imported',
      `${formatCount(facilities, 'facility', 'facilities')}, ${formatCount(issuances, 'issuance', 'issuances')}`,
    ),
  ];
}

const taskLines = ({ tasks }: Report): string[] => [
  ...stepKinds.map((kind) => formatLine(`${kind}s`, formatCounts(tasks[kind]))),
  formatLine('tasks', `${tasks.new} new, ${tasks.replayed} existing`),
];

const formatCounts = (tasks: TasksByOutcome): string =>
  outcomes.flatMap((outcome) => (tasks[outcome] > 0 ? `${tasks[outcome]} ${outcome}` : [])).join(', ') || 'none';

function ledgerLines({ ledger, certificates }: Report): string[] {
  if (!ledger) return [formatLine('ledger', 'totals could not be read')];
  const { retired, offramped, listable, disagreements } = ledger;
  const parts = [
    `${groupDigits(retired)} retired`,
    `${groupDigits(offramped)} offramped`,
    `${groupDigits(listable)} listable`,
  ];
  const verdict = disagreements.length === 0 ? 'agrees with the file' : 'DISAGREES with the file';
  return [
    formatLine('ledger', `${parts.join(', ')} of ${groupDigits(certificates.issued)} issued: ${verdict}`),
    ...firstLines(disagreements, DISAGREEMENTS_SHOWN_AT_MOST, (text) => `    ${text}`),
  ];
}

/** One line per row that was not applied. */
function problemLines({ problems }: Report): string[] {
  if (problems.length === 0) return [];
  const lines = firstLines(problems, PROBLEMS_SHOWN_AT_MOST, ({ line, reason }) => `  line ${line}: ${reason}`);
  return ['Rows that were not applied', ...lines];
}

const formatLine = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)} ${text}`;

/** Groups digits by three. */
function groupDigits(digits: string): string {
  const first = digits.slice(0, digits.length % 3);
  const groups = digits.slice(first.length).match(/\d{3}/g) ?? [];
  return [...(first === '' ? [] : [first]), ...groups].join(' ');
}

const formatCount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function firstLines<T>(list: readonly T[], most: number, text: (item: T) => string): string[] {
  const lines = list.slice(0, most).map(text);
  return list.length > most ? [...lines, `  … and ${list.length - most} more`] : lines;
}
