import { useEffect, useState, type ReactNode } from 'react';
import { formatNumber } from '../format/numbers.ts';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import styles from './page.module.css';
import { Empty } from './state.tsx';

const text = translate({ all: (count: string) => `Show all ${count}`, copy: 'Copy', copied: 'Copied' });

interface PageProps {
  readonly title: string;
  /** Text beside the title, such as the number of rows. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of every page: heading, document title and actions. */
export function Page({ title, aside, actions, children }: PageProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <header className={styles['head']}>
        <h1>{title}</h1>
        {aside !== undefined && <span className={styles['aside']}>{aside}</span>}
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** Names and values. Missing values are omitted. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {of.map(([name, value]) =>
        value === undefined || value === null ? null : (
          <div key={name} className={styles['pair']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export interface TableColumn<T> {
  readonly name: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'end';
  /** Wraps long text. */
  readonly wraps?: boolean;
  /** Hidden on narrow screens, because it repeats other information. */
  readonly ifWide?: boolean;
}

const cellClasses = <T,>({ align, wraps, ifWide }: TableColumn<T>): string | undefined =>
  [align && styles['end'], wraps && styles['wraps'], ifWide && styles['ifWide']].filter(Boolean).join(' ') || undefined;

interface TableProps<T> {
  /** Accessible label of the rows. */
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Shown if there are no rows. */
  readonly empty?: string;
}

/** A short list. Use `Grid` for a long list. */
export function Table<T>({ label, columns, rows, keyOf, empty }: TableProps<T>) {
  if (rows.length === 0 && empty !== undefined) return <Empty>{empty}</Empty>;
  return (
    <div className={styles['scroll']} role="region" aria-label={label} tabIndex={0}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={cellClasses({ ...column, wraps: false })}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} className={cellClasses(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export type Tone = 'wait' | 'bad' | 'ok';

/** A status in its colour, always with its word. */
export function Status({ tone, children }: { readonly tone: Tone | undefined; readonly children: ReactNode }) {
  if (tone === undefined) return children;
  return (
    <span className={styles[tone]}>
      <span className={styles['mark']} aria-hidden="true" />
      {children}
    </span>
  );
}

interface VerbatimProps {
  /** Accessible label. */
  readonly label: string;
  readonly children: string;
  /** Wraps long lines. */
  readonly wraps?: boolean;
}

/** Machine text, verbatim. */
export function Verbatim({ label, children, wraps = false }: VerbatimProps) {
  const classes = [styles['verbatim'], wraps && styles['wraps']].filter(Boolean).join(' ');
  return (
    <pre className={classes} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}

interface LongTableProps<T> extends TableProps<T> {
  readonly shownAtFirst: number;
}

/** A table that shows only its first rows until the user asks for the rest. */
export function LongTable<T>({ rows, shownAtFirst, ...table }: LongTableProps<T>) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? rows : rows.slice(0, shownAtFirst);
  return (
    <>
      <Table {...table} rows={shown} />
      {shown.length < rows.length && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {text.all(formatNumber(rows.length))}
        </Button>
      )}
    </>
  );
}

/** Copies a text and confirms it. */
export function Copy({ value, label }: { readonly value: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <Button look="quiet" onClick={() => void copy()}>
      {isCopied ? text.copied : (label ?? text.copy)}
    </Button>
  );
}

/** Values shown once, each with a copy button. */
export function Secret({ parts }: { readonly parts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <Facts
      of={parts.map(([name, value]) => [
        name,
        <span key={name}>
          <code>{value}</code> <Copy value={value} />
        </span>,
      ])}
    />
  );
}
