import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Beside the title: what is shown, how much of it. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its heading, which is the title of the document too, and what can be done. */
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

/** Names and values. A missing value has no row. */
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
  /** Long texts take several lines. */
  readonly wraps?: boolean;
  /** Where there is little room it is left out: what it says is told elsewhere too. */
  readonly ifWide?: boolean;
}

const classesOf = <T,>({ align, wraps, ifWide }: TableColumn<T>): string | undefined =>
  [align && styles['end'], wraps && styles['wraps'], ifWide && styles['ifWide']].filter(Boolean).join(' ') || undefined;

export interface TableProps<T> {
  /** Says what the rows are, to those who do not see it. */
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}

/** A short list. Long ones are grids. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  return (
    <div className={styles['scroll']} role="region" aria-label={label} tabIndex={0}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classesOf({ ...column, wraps: false })}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} className={classesOf(column)}>
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
