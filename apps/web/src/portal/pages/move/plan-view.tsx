import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { extractSerial, shortenSerial } from '../../../shared/format/serials.ts';
import { formatTime, formatDay } from '../../../shared/format/time.ts';
import { Facts, LongTable, type TableColumn } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { RangeBar } from '../../transfers/range-bar.tsx';
import type { TransferFaults } from './faults.ts';
import styles from './move.module.css';
import type { Plan } from './plan.ts';
import { text } from './text.ts';

type Planned = Plan['selections'][number];

const SHOWN_AT_FIRST = 50;

const columns: readonly TableColumn<Planned>[] = [
  { name: text.issued, cell: ({ issuingDate }) => formatDay(issuingDate) },
  { name: text.vintageColumn, cell: ({ vintage }) => vintage },
  { name: text.takes, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  { name: text.of, align: 'end', cell: ({ bundle }) => formatNumber(bundle.volume) },
  { name: text.share, cell: ({ bundle, start, end }) => <RangeBar bundle={bundle} part={{ start, end }} /> },
  {
    name: text.remains,
    cell: ({ remainder }) =>
      remainder === null ? text.whole : text.rest(formatTonnes(remainder.volume), shortenSerial(remainder.start)),
  },
  { name: text.methodology, ifWide: true, cell: ({ methodologyCode }) => methodologyCode },
  { name: text.first, align: 'end', ifWide: true, cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', ifWide: true, cell: ({ end }) => <code>{extractSerial(end)}</code> },
];

interface PlanViewProps {
  readonly plan: Plan | undefined;
  readonly isAsked: boolean;
  readonly error: unknown;
  readonly faults: TransferFaults;
  /** First certificate of each requested selection. */
  readonly starts: readonly string[];
  /** Total price, if a price is given. */
  readonly total: string | undefined;
  onRetry(): void;
}

function Refusal({ faults: { atAssets, others }, starts }: Pick<PlanViewProps, 'faults' | 'starts'>) {
  if (atAssets.size + others.length === 0) return null;
  return (
    <div role="alert" className={styles['refusal']}>
      <p>{text.refused}</p>
      <ul>
        {others.map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
        {[...atAssets].map(([index, detail]) => (
          <li key={index}>
            {text.bundleFrom(starts[index] ?? String(index + 1))}: {detail}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Status of the plan in a sentence. Null if it is shown elsewhere. */
function describeStatus(
  plan: Plan | undefined,
  isAsked: boolean,
  faults: TransferFaults,
  error: unknown,
): string | null {
  if (!isAsked) return text.planNothing;
  if (plan === undefined) return error === null ? text.planWait : null;
  if (plan.faults.length > 0) return faults.atAssets.size + faults.others.length === 0 ? text.refused : null;
  return text.planned(formatTonnes(plan.volume), plan.selections.length, formatTime(plan.plannedAt));
}

/** Shows the certificates taken from each bundle, as a row with a bar. */
export function PlanView({ plan, isAsked, error, faults, starts, total, onRetry }: PlanViewProps) {
  const isValid = plan !== undefined && plan.faults.length === 0;
  return (
    <section className={styles['plan']} aria-busy={isAsked && plan === undefined && error === null}>
      <h2>{text.plan}</h2>
      <p role="status">{describeStatus(plan, isAsked, faults, error)}</p>
      {error !== null && error !== undefined && <Failure error={error} onRetry={onRetry} />}
      <Refusal faults={faults} starts={starts} />
      {isValid && total !== undefined && <Facts of={[[text.total, total]]} />}
      {isValid && (
        <LongTable
          label={text.plan}
          columns={columns}
          rows={plan.selections}
          keyOf={({ start }) => start}
          shownAtFirst={SHOWN_AT_FIRST}
        />
      )}
    </section>
  );
}
