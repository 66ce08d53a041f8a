import type { Account } from './account.ts';
import { taskStatuses } from './api/tasks.ts';
import { stepKinds } from './plan/steps.ts';
import type { TasksByStatus } from './run.ts';

const PROBLEMS_SHOWN_AT_MOST = 1_000;
const DISAGREEMENTS_SHOWN_AT_MOST = 20;

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const shownOf = <T>(list: readonly T[], max: number, text: (item: T) => string): string[] => {
  const lines = list.slice(0, max).map(text);
  return list.length > max ? [...lines, `  … and ${list.length - max} more`] : lines;
};

const tasksText = (tasks: TasksByStatus): string =>
  taskStatuses.flatMap((status) => (tasks[status] > 0 ? [`${tasks[status]} ${status}`] : [])).join(', ') || 'none';

/** One line per row that was not applied. */
const problemLines = ({ problems }: Account): string[] =>
  shownOf(problems, PROBLEMS_SHOWN_AT_MOST, ({ line, reason }) => `  line ${line}: ${reason}`);

const labelled = (label: string, text: string): string => `  ${label.padEnd(13)} ${text}`;

function ledgerLines({ ledger, certificates }: Account): string[] {
  if (!ledger) return [labelled('ledger', 'its totals could not be read')];
  const { disagreements } = ledger;
  const totals = `${grouped(ledger.retired)} retired, ${grouped(ledger.offramped)} offramped, ${grouped(ledger.listable)} listable`;
  const verdict = disagreements.length === 0 ? 'agrees with the file' : 'DISAGREES with the file';
  return [
    labelled('ledger', `${totals} of ${grouped(certificates.issued)} issued: ${verdict}`),
    ...shownOf(disagreements, DISAGREEMENTS_SHOWN_AT_MOST, (text) => `    ${text}`),
  ];
}

/** The account for people. */
export function accountText(account: Account): string {
  const { rows, ranges, tasks, elapsedMs } = account;
  const { issued, retired, offramped, traded } = account.certificates;
  const moved = ranges.retirement + ranges.cancellation;
  return [
    `Account of ${account.file}`,
    labelled('rows', `${rows.read} read, ${rows.applied} applied, ${rows.bad} bad, ${rows.failed} failed`),
    labelled(
      'ranges',
      `${ranges.issuance + moved}: ${ranges.issuance} stay, ${ranges.retirement} to retire, ${ranges.cancellation} to offramp`,
    ),
    labelled(
      'certificates',
      `${grouped(issued)} issued: ${grouped(retired)} to retire, ${grouped(offramped)} to offramp, ${grouped(traded)} to trade`,
    ),
    labelled(
      'imported',
      `${plural(account.facilities, 'facility', 'facilities')}, ${plural(account.issuances, 'issuance', 'issuances')}`,
    ),
    ...stepKinds.map((kind) => labelled(`${kind}s`, tasksText(tasks[kind]))),
    labelled('tasks', `${tasks.new} new, ${tasks.replayed} made before`),
    ...ledgerLines(account),
    labelled('time', `${(elapsedMs / 1_000).toFixed(1)} s, ${account.rangesPerSecond.toFixed(1)} ranges/s`),
    ...(account.problems.length > 0 ? ['Rows that were not applied', ...problemLines(account)] : []),
    account.ok ? 'Every row is applied and all totals agree.' : `NOT COMPLETE: ${account.reasons.join('; ')}`,
  ].join('\n');
}
