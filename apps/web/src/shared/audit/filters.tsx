import { translate } from '../i18n/messages.ts';
import { Select } from '../ui/form.tsx';
import { SelectFilter } from '../ui/toolbar.tsx';
import { actionChoices, describeAction, type AuditOrder } from './actions.ts';

const text = translate({ order: 'Order', newest: 'Newest first', oldest: 'Oldest first', action: 'Action' });

interface FilterProps<T> {
  readonly value: T;
  onChange(value: T): void;
}

export const OrderFilter = ({ value, onChange }: FilterProps<AuditOrder>) => (
  <Select label={text.order} value={value} onChange={({ target }) => onChange(target.value as AuditOrder)}>
    <option value="desc">{text.newest}</option>
    <option value="asc">{text.oldest}</option>
  </Select>
);

export const ActionFilter = ({ value, onChange }: FilterProps<string | undefined>) => (
  <SelectFilter label={text.action} options={actionChoices} value={value} onChoose={onChange} />
);

/** Description of an action, with its name as tooltip. */
export const Action = ({ action }: { readonly action: string }) => <span title={action}>{describeAction(action)}</span>;
