import { digits } from '../../../shared/format/numbers.ts';
import { issuanceOf, serialOf } from '../../../shared/format/serials.ts';
import { LongTable, type TableColumn } from '../../../shared/ui/page.tsx';
import type { Plan } from './plan.ts';
import { text } from './text.ts';

type Planned = Plan['selections'][number];

const columns: readonly TableColumn<Planned>[] = [
  { name: text.vintageColumn, cell: ({ vintage }) => vintage },
  { name: text.takes, align: 'end', cell: ({ volume }) => digits(volume) },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{serialOf(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{serialOf(end)}</code> },
  { name: text.issuance, wraps: true, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
];

const SHOWN_AT_FIRST = 10;

/** Which certificates will move, by vintage and serials. */
export const Certificates = ({ selections }: { readonly selections: readonly Planned[] }) => (
  <>
    <h3>{text.certificates}</h3>
    <LongTable
      label={text.certificates}
      columns={columns}
      rows={selections}
      keyOf={({ start }) => start}
      shownAtFirst={SHOWN_AT_FIRST}
    />
  </>
);
