import { Link } from 'wouter';
import { formatTonnes } from '../../../shared/format/numbers.ts';
import { CountryChoice } from '../../../shared/ui/country-choice.tsx';
import type { FilterState } from '../../../shared/ui/filters.ts';
import { Select, Field, Group } from '../../../shared/ui/form.tsx';
import { filterNames, type Filters, type TransferKind, type Selected } from '../../transfers/transfers.ts';
import { fieldGroups, type TransferField } from './fields.ts';
import styles from './move.module.css';
import type { Fields } from './request.ts';
import { text } from './text.ts';

export const sourceNames = [...filterNames, 'from', 'volume'] as const;
type SourceName = (typeof sourceNames)[number];

/** Inventory filters that limit the certificates, in words. */
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

/** Certificates to transfer. Kept in the address, except for the selection. */
export function SourceFields({ traderId, filters, setFilter, selected, fault }: SourceFieldsProps) {
  const isSelected = filters.from === 'selected';
  const words = filterWords(filters);
  const back = new URLSearchParams({ ...filters, trader: traderId });
  back.delete('from');
  back.delete('volume');
  return (
    <Group legend={text.what}>
      <Select
        label={text.source}
        value={isSelected ? 'selected' : 'oldest'}
        onChange={({ target }) => setFilter('from', target.value)}
      >
        <option value="oldest">{text.sourceOldest}</option>
        <option value="selected">{text.sourceSelected}</option>
      </Select>
      {isSelected ? (
        <p>
          {selected.bundles.length === 0
            ? text.nothingSelected
            : text.selected(selected.bundles.length, formatTonnes(selected.volume))}
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

interface FieldsProps {
  readonly fields: Fields;
  /** Errors by member pointer. */
  readonly faults: ReadonlyMap<string, string>;
}

function TransferFieldInput({ of, fields, faults }: FieldsProps & { readonly of: TransferField }) {
  const { name, pointers, label, hint, format, rules, isCountry, options } = of;
  const [fault] = pointers.flatMap((pointer) => faults.get(pointer) ?? []);
  const common = { name, label, hint, fault };
  if (isCountry) return <CountryChoice {...common} required holds="code" defaultValue={fields[name]} />;
  if (!options) return <Field {...common} {...rules} format={format} defaultValue={fields[name]} />;
  return (
    <Select {...common} defaultValue={fields[name] ?? options[0]?.[0]}>
      {options.map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </Select>
  );
}

/** All fields of a transfer other than certificates and buyer. */
export function TransferFields({ act, ...props }: FieldsProps & { readonly act: TransferKind }) {
  return fieldGroups[act].map(({ legend, rows }) => (
    <Group key={legend} legend={legend}>
      {rows.map((row) =>
        'name' in row ? (
          <TransferFieldInput key={row.name} of={row} {...props} />
        ) : (
          <div key={row[0]?.name} className={styles['pair']}>
            {row.map((field) => (
              <TransferFieldInput key={field.name} of={field} {...props} />
            ))}
          </div>
        ),
      )}
    </Group>
  ));
}
