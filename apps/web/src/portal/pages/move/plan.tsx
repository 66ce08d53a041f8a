import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { extractSerial, shortenSerial, issuanceOf } from '../../../shared/format/serials.ts';
import { formatTime, formatDay } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Facts, LongTable, type TableColumn } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { useTrader } from '../../traders/traders.tsx';
import { RangeBar } from '../../transfers/range-bar.tsx';
import {
  toApiFilter,
  transactionTypes,
  transferLabels,
  type Filters,
  type TransferKind,
  type SelectedBundle,
  type Draft,
} from '../../transfers/transfers.ts';
import type { TransferFaults } from './fields.ts';
import styles from './move.module.css';
import { buildReview } from './request.ts';
import { text } from './text.ts';

export type Plan = Schemas['Plan'];

/** Planned certificates: selected bundles, or a volume of the oldest bundles. */
export type Source =
  | { readonly kind: 'selected'; readonly bundles: readonly SelectedBundle[] }
  | { readonly kind: 'oldest'; readonly volume: string; readonly filters: Filters };

/** Whole tonnes. No plan is requested for volumes that JSON cannot represent exactly. */
const VOLUME = /^[1-9]\d{0,15}$/;

export function buildPlanRequest(act: TransferKind, source: Source): Schemas['PlanRequest'] | undefined {
  const type = transactionTypes[act];
  if (source.kind === 'selected') {
    if (source.bundles.length === 0) return undefined;
    return { type, assets: source.bundles.map(({ start, end }) => ({ start, end })) };
  }
  const volume = Number(source.volume);
  if (!VOLUME.test(source.volume) || !Number.isSafeInteger(volume)) return undefined;
  const filter = toApiFilter(source.filters);
  return { type, volume, order: 'OLDEST', ...(filter && { filter }) };
}

/** Plan by the ledger's rules, requested again on every change of the form. It has no side effects. */
export const usePlan = (
  act: TransferKind,
  traderId: string,
  request: Schemas['PlanRequest'] | undefined,
): UseQueryResult<Plan> =>
  useQuery({
    queryKey: ['plan', act, traderId, request],
    enabled: request !== undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      unwrapData(
        api.POST('/saleschannel-services/v1/traders/{traderId}/inventory/plan', {
          signal,
          params: { path: { traderId } },
          body: request as Schemas['PlanRequest'],
        }),
      ),
  });

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

const certificateColumns: readonly TableColumn<Planned>[] = [
  { name: text.vintageColumn, cell: ({ vintage }) => vintage },
  { name: text.takes, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{extractSerial(end)}</code> },
  { name: text.issuance, wraps: true, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
];

const CERTIFICATES_SHOWN = 10;

/** Certificates to be transferred, by vintage and serials. */
const Certificates = ({ selections }: { readonly selections: readonly Planned[] }) => (
  <>
    <h3>{text.certificates}</h3>
    <LongTable
      label={text.certificates}
      columns={certificateColumns}
      rows={selections}
      keyOf={({ start }) => start}
      shownAtFirst={CERTIFICATES_SHOWN}
    />
  </>
);

interface ConfirmProps {
  readonly act: TransferKind;
  readonly traderName: string;
  readonly draft: Draft;
  readonly plan: Plan;
  readonly isPending: boolean;
  readonly error: Error | null;
  onSend(): void;
  onClose(): void;
}

/** Shows everything before it is sent. The button names the transfer. */
export function Confirm({ act, traderName, draft, plan, isPending, error, onSend, onClose }: ConfirmProps) {
  const buyer = useTrader(draft.buyerId);
  const { volume, selections } = plan;
  const review = buildReview(act, {
    fields: draft.fields,
    traderName,
    buyerName: buyer.data?.name ?? draft.buyerId ?? text.noName,
    volume,
    bundles: selections.length,
  });
  return (
    <Dialog
      isWide
      title={text.titleOf(transferLabels[act], traderName)}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isPending}>
            {text.cancel}
          </Button>
          <Button look={act === 'trade' ? 'primary' : 'danger'} busy={isPending} onClick={onSend}>
            {text.confirm(transferLabels[act], formatTonnes(volume))}
          </Button>
        </>
      }
    >
      {act === 'trade' && <p>{text.check}</p>}
      {act === 'retire' && <p className={styles['irreversible']}>{text.confirmRetire}</p>}
      {act === 'offramp' && <p>{text.confirmOfframp}</p>}
      <Facts of={review} />
      <Certificates selections={selections} />
      {error && <Failure error={error} />}
      {draft.sent && error && <p>{text.countsOnce}</p>}
    </Dialog>
  );
}
