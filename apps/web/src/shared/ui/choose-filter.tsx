import { translated } from '../i18n/messages.ts';
import { Choice } from './form.tsx';

const text = translated({ all: 'All' });

interface ChooseFilterProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string | undefined;
  onChoose(value: string | undefined): void;
}

const ALL = 'all';

/** A filter by one value of few, or none. */
export function ChooseFilter({ label, options, value = ALL, onChoose }: ChooseFilterProps) {
  // An address may name a value that there is no more.
  const isKnown = value === ALL || options.some(([each]) => each === value);
  return (
    <Choice
      label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value === ALL ? undefined : target.value)}
    >
      <option value={ALL}>{text.all}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
