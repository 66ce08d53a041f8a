import { digits, tonnes } from '../../../shared/format/numbers.ts';
import { issuanceOf, shortSerial } from '../../../shared/format/serials.ts';
import { Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { RangeBar } from '../../transfers/range-bar.tsx';
import type { Detail } from './detail.ts';
import { text } from './text.ts';

type Step = Detail['lineage'][number];

/** A step with how much of it moved, as the API counts it. */
type Row = Step & { readonly volume: number };

const rest = (range: Step['before']): string =>
  range === null ? text.nothing : text.range(tonnes(range.volume), shortSerial(range.start), shortSerial(range.end));

const columns: readonly TableColumn<Row>[] = [
  { name: text.issuance, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
  { name: text.bundle, align: 'end', cell: ({ bundle }) => digits(bundle.volume) },
  { name: text.moved, align: 'end', cell: ({ volume }) => digits(volume) },
  { name: text.drawing, cell: ({ bundle, start, end }) => <RangeBar bundle={bundle} part={{ start, end }} /> },
  { name: text.before, cell: ({ before }) => rest(before) },
  { name: text.after, cell: ({ after }) => rest(after) },
];

/** Which bundles the certificates were taken from, and what that left of them. */
export function Lineage({ detail }: { readonly detail: Detail }) {
  if (detail.lineage.length === 0) return null;
  // Steps are in the order of the assets.
  const rows = detail.lineage.map((step, index) => ({ ...step, volume: detail.assets[index]?.volume ?? 0 }));
  return (
    <section>
      <h2>{text.lineage}</h2>
      <p>{text.lineageAbout}</p>
      <Table label={text.lineage} columns={columns} rows={rows} keyOf={({ start }) => start} />
    </section>
  );
}
