import { tonnes } from '../../../shared/format/numbers.ts';
import { Choice } from '../../../shared/ui/form.tsx';
import type { InventorySummary } from '../../transfers/summary.ts';
import { text } from './text.ts';

interface FacetProps {
  readonly label: string;
  /** What the whole inventory has. */
  readonly values: InventorySummary['facets']['vintage'] | undefined;
  readonly value: string | undefined;
  readonly nameOf?: (value: string) => string;
  onChoose(value: string | undefined): void;
}

/** A filter by one of the values that there are, each with its volume. */
export function Facet({ label, values = [], value, nameOf = (each) => each, onChoose }: FacetProps) {
  // An address may name a value of which nothing is left.
  const isKnown = value === undefined || values.some((each) => each.value === value);
  return (
    <Choice
      label={label}
      value={value ?? 'all'}
      onChange={({ target }) => onChoose(target.value === 'all' ? undefined : target.value)}
    >
      <option value="all">{text.all}</option>
      {!isKnown && <option value={value}>{nameOf(value)}</option>}
      {values.map((each) => (
        <option key={each.value} value={each.value}>
          {text.facet(nameOf(each.value), tonnes(each.volume))}
        </option>
      ))}
    </Choice>
  );
}
