import { useEffect, useState, type ReactNode } from 'react';
import { translate } from '../i18n/messages.ts';
import { Select, Field } from './form.tsx';
import styles from './page.module.css';

/** Filters and controls above a list. */
export function Toolbar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={styles['toolbar']}>
      {children}
    </div>
  );
}

/** Selection and its actions, below a list and always visible. */
export function Summary({ children }: { readonly children: ReactNode }) {
  return <div className={styles['summary']}>{children}</div>;
}

interface DayFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A filter by day. Controlled, so that clearing the filters empties it. */
export const DayFilter = ({ label, value, onChange }: DayFilterProps) => (
  <Field label={label} type="date" value={value ?? String()} onChange={({ target }) => onChange(target.value)} />
);

const TYPING_MS = 300;

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
  readonly inputMode?: 'numeric';
  readonly pattern?: string;
}

/** A filter by text, applied after a pause in typing if the text is valid. */
export function TextFilter({ label, value, onChange, inputMode, pattern }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const text = typed?.trim();
    const nextValue = text === '' ? undefined : text;
    if (nextValue === value) return;
    if (nextValue !== undefined && pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(nextValue)) return;
    const timer = setTimeout(() => onChange(nextValue), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <Field
      label={label}
      value={typed ?? String()}
      inputMode={inputMode}
      pattern={pattern}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

const choiceText = translate({ all: 'All' });

interface ChooseFilterProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string | undefined;
  onChoose(value: string | undefined): void;
}

const ALL = 'all';

/** A filter that offers a few values and "All". */
export function SelectFilter({ label, options, value = ALL, onChoose }: ChooseFilterProps) {
  // The address may name a value that no longer exists.
  const isKnown = value === ALL || options.some(([each]) => each === value);
  return (
    <Select
      label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value === ALL ? undefined : target.value)}
    >
      <option value={ALL}>{choiceText.all}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Select>
  );
}
