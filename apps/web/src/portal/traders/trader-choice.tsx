import { useState } from 'react';
import { translate } from '../../shared/i18n/messages.ts';
import { Combobox } from '../../shared/ui/combobox.tsx';
import { useTrader, useTradersLike } from './traders.ts';

const text = translate({
  trader: 'Trader',
  nothing: 'No matching traders.',
});

interface TraderChoiceProps {
  readonly label?: string;
  readonly traderId: string | undefined;
  readonly isRequired?: boolean;
  readonly fault?: string | undefined;
  onChoose(traderId: string | undefined): void;
}

/** Chooses a trader of the sales channel by the start of its name. */
export function TraderChoice({ label = text.trader, traderId, isRequired, fault, onChoose }: TraderChoiceProps) {
  const [typed, setTyped] = useState('');
  const offered = useTradersLike(typed);
  const chosen = useTrader(traderId);
  const options = (offered.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Combobox
      label={label}
      isRequired={isRequired}
      fault={fault}
      options={options}
      value={chosen.data && { value: chosen.data.id, label: chosen.data.name }}
      onChoose={(option) => onChoose(option?.value)}
      onSearch={setTyped}
      nothing={text.nothing}
    />
  );
}
