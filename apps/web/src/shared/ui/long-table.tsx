import { useState } from 'react';
import { digits } from '../format/numbers.ts';
import { translated } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Table, type TableProps } from './page.tsx';

const text = translated({ all: (count: string) => `Show all ${count}` });

interface LongTableProps<T> extends TableProps<T> {
  readonly shownAtFirst: number;
}

/** A table of which only the beginning is shown, until somebody asks for the rest. */
export function LongTable<T>({ rows, shownAtFirst, ...table }: LongTableProps<T>) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? rows : rows.slice(0, shownAtFirst);
  return (
    <>
      <Table {...table} rows={shown} />
      {shown.length < rows.length && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {text.all(digits(rows.length))}
        </Button>
      )}
    </>
  );
}
