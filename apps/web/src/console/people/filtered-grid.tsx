import { Button } from '../../shared/ui/button.tsx';
import { Grid, type GridProps } from '../../shared/ui/grid.tsx';
import { Empty } from '../../shared/ui/state.tsx';
import { text } from './text.ts';

interface FilteredGridProps<T> extends Omit<GridProps<T>, 'empty'> {
  readonly filters: object;
  /** Shown if the unfiltered list is empty. */
  readonly empty: string;
  onClear(): void;
}

/** A grid below its filters. If nothing matches, it offers to clear them. */
export function FilteredGrid<T>({ filters, empty, onClear, ...grid }: FilteredGridProps<T>) {
  const nothing =
    Object.keys(filters).length > 0 ? (
      <Empty action={<Button onClick={onClear}>{text.clear}</Button>}>{text.nothing}</Empty>
    ) : (
      <Empty>{empty}</Empty>
    );
  // Resets the scroll position when filters change.
  return <Grid key={JSON.stringify(filters)} {...grid} empty={nothing} />;
}
