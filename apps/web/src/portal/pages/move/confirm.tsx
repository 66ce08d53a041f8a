import { digits, tonnes } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Facts } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { actText, type Act } from '../../transfers/acts.ts';
import type { Draft } from '../../transfers/draft.ts';
import { useTrader } from '../../traders/traders.ts';
import { fieldOf } from './body.ts';
import styles from './move.module.css';
import type { Plan } from './plan.ts';
import { text } from './text.ts';

interface ConfirmProps {
  readonly act: Act;
  readonly traderName: string;
  readonly draft: Draft;
  readonly plan: Plan;
  readonly isPending: boolean;
  readonly error: Error | null;
  onSend(): void;
  onClose(): void;
}

/** Says once more what will happen. The button names the act. */
export function Confirm({ act, traderName, draft, plan, isPending, error, onSend, onClose }: ConfirmProps) {
  const buyer = useTrader(draft.buyerId);
  const volume = tonnes(plan.volume);
  const name = text.confirm(actText[act], volume);
  const price = act === 'offramp' ? '' : fieldOf(draft.fields, 'unitPrice');
  const beneficiary = fieldOf(draft.fields, 'beneficiaryName');
  return (
    <Dialog
      title={text.titleOf(actText[act], traderName)}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isPending}>
            {text.cancel}
          </Button>
          <Button look={act === 'trade' ? 'primary' : 'danger'} busy={isPending} onClick={onSend}>
            {name}
          </Button>
        </>
      }
    >
      {act === 'trade' && (
        <p>{text.confirmTrade(volume, traderName, buyer.data?.name ?? draft.buyerId ?? text.noName)}</p>
      )}
      {act === 'retire' && <p className={styles['irreversible']}>{text.confirmRetire}</p>}
      {act === 'offramp' && <p>{text.confirmOfframp}</p>}
      <Facts
        of={[
          [text.volume, digits(plan.volume)],
          [text.bundles, digits(plan.selections.length)],
          [text.unitPrice, price === '' ? null : text.each(price, fieldOf(draft.fields, 'currency'))],
          [text.beneficiary, act === 'retire' ? beneficiary || text.noName : null],
          [text.purpose, act === 'retire' ? fieldOf(draft.fields, 'retirementPurpose') : null],
          [text.reference, fieldOf(draft.fields, 'externalReference') || null],
        ]}
      />
      {error && <Failure error={error} />}
      {draft.sent && error && <p>{text.countsOnce}</p>}
    </Dialog>
  );
}
