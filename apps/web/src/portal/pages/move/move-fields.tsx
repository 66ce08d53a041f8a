import { CountryChoice } from '../../../shared/ui/country-choice.tsx';
import { Choice, Field, Group } from '../../../shared/ui/form.tsx';
import type { Act } from '../../transfers/acts.ts';
import type { Fields } from './body.ts';
import { groupsOf, type MoveField } from './fields.ts';
import styles from './move.module.css';

interface FieldsProps {
  readonly fields: Fields;
  /** What is wrong, by the pointer of the member. */
  readonly faults: ReadonlyMap<string, string>;
}

function One({ of, fields, faults }: FieldsProps & { readonly of: MoveField }) {
  const { name, pointers, label, hint, format, rules, isCountry, options } = of;
  const [fault] = pointers.flatMap((pointer) => faults.get(pointer) ?? []);
  const common = { name, label, hint, fault };
  if (isCountry) return <CountryChoice {...common} required holds="code" defaultValue={fields[name]} />;
  if (!options) return <Field {...common} {...rules} format={format} defaultValue={fields[name]} />;
  return (
    <Choice {...common} defaultValue={fields[name] ?? options[0]?.[0]}>
      {options.map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </Choice>
  );
}

/** Everything that an act asks for beside what moves, and to whom. */
export function MoveFields({ act, ...props }: FieldsProps & { readonly act: Act }) {
  return groupsOf[act].map(({ legend, rows }) => (
    <Group key={legend} legend={legend}>
      {rows.map((row) =>
        'name' in row ? (
          <One key={row.name} of={row} {...props} />
        ) : (
          <div key={row[0]?.name} className={styles['pair']}>
            {row.map((field) => (
              <One key={field.name} of={field} {...props} />
            ))}
          </div>
        ),
      )}
    </Group>
  ));
}
