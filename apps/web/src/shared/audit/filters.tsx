import { translated } from '../i18n/messages.ts';
import { Choice } from '../ui/form.tsx';
import { ChooseFilter } from '../ui/toolbar.tsx';
import { actionChoices, actionInWords, type AuditOrder } from './actions.ts';

const text = translated({
  order: 'Order',
  newest: 'Newest first',
  oldest: 'Oldest first',
  action: 'Action',
});

interface FilterProps<T> {
  readonly value: T;
  onChange(value: T): void;
}

export const OrderFilter = ({ value, onChange }: FilterProps<AuditOrder>) => (
  <Choice label={text.order} value={value} onChange={({ target }) => onChange(target.value as AuditOrder)}>
    <option value="desc">{text.newest}</option>
    <option value="asc">{text.oldest}</option>
  </Choice>
);

export const ActionFilter = ({ value, onChange }: FilterProps<string | undefined>) => (
  <ChooseFilter label={text.action} options={actionChoices} value={value} onChoose={onChange} />
);

/** Description of an action, with its name as tooltip. */
export const Action = ({ action }: { readonly action: string }) => <span title={action}>{actionInWords(action)}</span>;
