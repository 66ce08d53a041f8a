import { Link } from 'wouter';
import { tonnes } from '../../../shared/format/numbers.ts';
import { Choice, Field, Group } from '../../../shared/ui/form.tsx';
import type { FilterState } from '../../../shared/ui/filters.ts';
import { filterNames, type Filters } from '../../transfers/filter.ts';
import type { Selected } from '../../transfers/selected.ts';
import { text } from './text.ts';

export const sourceNames = [...filterNames, 'from', 'volume'] as const;
type SourceName = (typeof sourceNames)[number];

/** The filters of the inventory that narrow what is taken, in words. */
const filterWords = (filters: Filters): string =>
  (['vintage', 'methodologyCode', 'productionFacilityId', 'issuanceId'] as const)
    .flatMap((name) => (filters[name] === undefined ? [] : [`${text[name]} ${filters[name]}`]))
    .join(', ');

interface SourceFieldsProps {
  readonly traderId: string;
  readonly filters: Readonly<Partial<Record<SourceName, string>>>;
  readonly setFilter: FilterState<SourceName>[1];
  readonly selected: Selected;
  readonly fault: string | undefined;
}

/** What moves. It stands in the address, but for what is selected. */
export function SourceFields({ traderId, filters, setFilter, selected, fault }: SourceFieldsProps) {
  const isSelected = filters.from === 'selected';
  const words = filterWords(filters);
  const back = new URLSearchParams({ ...filters, trader: traderId });
  back.delete('from');
  back.delete('volume');
  return (
    <Group legend={text.what}>
      <Choice
        label={text.source}
        value={isSelected ? 'selected' : 'oldest'}
        onChange={({ target }) => setFilter('from', target.value)}
      >
        <option value="oldest">{text.sourceOldest}</option>
        <option value="selected">{text.sourceSelected}</option>
      </Choice>
      {isSelected ? (
        <p>
          {selected.bundles.length === 0
            ? text.nothingSelected
            : text.selected(selected.bundles.length, tonnes(selected.volume))}
        </p>
      ) : (
        <Field
          label={text.volume}
          hint={words === '' ? text.volumeHint : `${text.volumeHint} ${text.filtered(words)}`}
          fault={fault}
          inputMode="numeric"
          autoComplete="off"
          required
          pattern="[1-9][0-9]*"
          format={text.volumeFormat}
          defaultValue={filters.volume}
          onChange={({ target }) => setFilter('volume', target.value.trim())}
        />
      )}
      <p>
        <Link href={`/channel/inventory?${back}`}>{text.toInventory}</Link>
      </p>
    </Group>
  );
}
