import { useEffect, useState, type ReactNode } from 'react';
import { translated } from '../i18n/messages.ts';
import { Choice, Field } from './form.tsx';
import styles from './toolbar.module.css';

/** Filters and other things above a list. */
export function Toolbar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={styles['toolbar']}>
      {children}
    </div>
  );
}

/** What is chosen, and what can be done with it: below a list, always in sight. */
export function Summary({ children }: { readonly children: ReactNode }) {
  return <div className={styles['summary']}>{children}</div>;
}

interface DayFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A filter by day. It shows what the list is filtered by, also after all filters were cleared. */
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

/** A filter by text: it takes effect when nothing was typed for a moment, and the text is one that can be meant. */
export function TextFilter({ label, value, onChange, inputMode, pattern }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const text = typed?.trim();
    const wanted = text === '' ? undefined : text;
    if (wanted === value) return;
    if (wanted !== undefined && pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(wanted)) return;
    const timer = setTimeout(() => onChange(wanted), TYPING_MS);
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

const choiceText = translated({ all: 'All' });

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
      <option value={ALL}>{choiceText.all}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
