import { percentile } from '../measure/statistics.ts';
import type { Row } from './outcomes.ts';
import type { TrialReport } from './trial.ts';

const NAME_WIDTH = 34;
const NUMBER_WIDTH = 10;
const FAULTS_SHOWN = 20;

const formatLine = (name: string, ...numbers: (string | number)[]): string =>
  [name.padEnd(NAME_WIDTH), ...numbers.map((number) => String(number).padStart(NUMBER_WIDTH))].join(' ');

const formatRow = ({ name, answered, failed, milliseconds }: Row): string =>
  formatLine(name, answered, failed, ...[0.5, 0.99].map((part) => percentile(milliseconds, part).toFixed(0)));

/** Merges the many kinds of reads into one row, unless one of them failed. */
function mergeReads(rows: readonly Row[]): Row[] {
  const isRead = ({ name, failed }: Row): boolean => name.startsWith('read ') && failed === 0;
  const reads = rows.filter(isRead);
  const all = {
    name: `reads of ${reads.length} kinds`,
    answered: reads.reduce((sum, { answered }) => sum + answered, 0),
    failed: 0,
    milliseconds: reads.flatMap(({ milliseconds }) => milliseconds),
  };
  return [all, ...rows.filter((row) => !isRead(row))];
}

export function formatTable(report: TrialReport): string {
  const { outcomes, faults } = report;
  const { failures } = outcomes;
  const answered = outcomes.byKind.reduce((sum, row) => sum + row.answered, 0);
  return [
    '',
    formatLine('phase', 'answered', 'failed', 'p50 ms', 'p99 ms'),
    ...outcomes.byPhase.map(formatRow),
    '',
    formatLine('request', 'answered', 'failed', 'p50 ms', 'p99 ms'),
    ...mergeReads(outcomes.byKind).map(formatRow),
    '',
    ...[...outcomes.reasons].map(([reason, count]) => `failed ${count} times: ${reason}`),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `wrong: ${fault}`),
    `${answered} requests answered, ${failures.length} failed`,
    `${report.accepted} transfers accepted, ${report.transactions} succeeded; ${report.imports} imports`,
    `${report.events} events, each read by polling and in ${report.streams} streams; ${report.messages} messages`,
    report.audit,
  ].join('\n');
}
