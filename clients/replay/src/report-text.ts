import { outcomes } from './api/tasks.ts';
import { stepKinds } from './plan/steps.ts';
import type { Report } from './report.ts';
import type { TasksByOutcome } from './run/tally.ts';

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
