import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { issuanceOf, extractSerial } from '../../../shared/format/serials.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Facts, LongTable, type TableColumn } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { useTrader } from '../../traders/traders.ts';
import type { Draft } from '../../transfers/draft.ts';
import { transferLabels, type TransferKind } from '../../transfers/kinds.ts';
import { buildReview } from './answers.ts';
import styles from './move.module.css';
import type { Plan } from './plan.ts';
import { text } from './text.ts';

type Planned = Plan['selections'][number];

const columns: readonly TableColumn<Planned>[] = [
  { name: text.vintageColumn, cell: ({ vintage }) => vintage },
  { name: text.takes, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{extractSerial(end)}</code> },
  { name: text.issuance, wraps: true, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
];

const SHOWN_AT_FIRST = 10;

/** Certificates to be transferred, by vintage and serials. */
const Certificates = ({ selections }: { readonly selections: readonly Planned[] }) => (
  <>
    <h3>{text.certificates}</h3>
    <LongTable
      label={text.certificates}
      columns={columns}
      rows={selections}
      keyOf={({ start }) => start}
      shownAtFirst={SHOWN_AT_FIRST}
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
