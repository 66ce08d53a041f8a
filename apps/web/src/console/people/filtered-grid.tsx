import { Button } from '../../shared/ui/button.tsx';
import { Grid, type GridProps } from '../../shared/ui/grid.tsx';
import { Empty } from '../../shared/ui/state.tsx';
import { text } from './text.ts';

interface FilteredGridProps<T> extends Omit<GridProps<T>, 'empty'> {
  readonly filters: object;
  /** What is said when there is nothing at all. */
  readonly empty: string;
  onClear(): void;
}

/** A list below its filters. Where nothing fits them, it says so and offers to clear them. */
export function FilteredGrid<T>({ filters, empty, onClear, ...grid }: FilteredGridProps<T>) {
  const nothing =
    Object.keys(filters).length > 0 ? (
      <Empty action={<Button onClick={onClear}>{text.clear}</Button>}>{text.nothing}</Empty>
    ) : (
      <Empty>{empty}</Empty>
    );
  // With other filters it is another list, which begins at its top.
  return <Grid key={JSON.stringify(filters)} {...grid} empty={nothing} />;
}
