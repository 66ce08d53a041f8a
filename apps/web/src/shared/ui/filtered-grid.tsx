import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Grid, type GridProps } from './grid.tsx';
import { Empty } from './state.tsx';

const text = translate({ clear: 'Clear filters', nothing: 'No results.' });

interface FilteredGridProps<T> extends Omit<GridProps<T>, 'empty'> {
  readonly filters: object;
  /** Shown if the unfiltered list is empty. Undefined if filters always apply. */
  readonly empty?: string;
  /** Shown if nothing matches. */
  readonly noMatches?: string;
  onClear(): void;
}

/** A grid below its filters. If nothing matches, it offers to clear them. */
export function FilteredGrid<T>({ filters, empty, noMatches = text.nothing, onClear, ...grid }: FilteredGridProps<T>) {
  const nothing =
    empty === undefined || Object.keys(filters).length > 0 ? (
      <Empty action={<Button onClick={onClear}>{text.clear}</Button>}>{noMatches}</Empty>
    ) : (
      <Empty>{empty}</Empty>
    );
  // Resets the scroll position when filters or sort change. The selection is kept.
  return <Grid key={JSON.stringify([filters, grid.sorting?.current])} {...grid} empty={nothing} />;
}
