import { Choice } from '../../shared/ui/form.tsx';
import { text } from './text.ts';

interface ChooseFilterProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string | undefined;
  onChoose(value: string | undefined): void;
}

const ALL = 'all';

/** A filter by one value of few, or none. */
export function ChooseFilter({ label, options, value, onChoose }: ChooseFilterProps) {
  return (
    <Choice
      label={label}
      value={value ?? ALL}
      onChange={({ target }) => onChoose(target.value === ALL ? undefined : target.value)}
    >
      <option value={ALL}>{text.all}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Choice>
  );
}

const statuses = [
  ['ACTIVE', text.active],
  ['SUSPENDED', text.suspended],
] as const;

/** Channels and account holders by whether they are suspended. */
export const StatusFilter = (props: Pick<ChooseFilterProps, 'value' | 'onChoose'>) => (
  <ChooseFilter label={text.status} options={statuses} {...props} />
);
