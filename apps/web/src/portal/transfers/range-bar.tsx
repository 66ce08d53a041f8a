import styles from '../portal.module.css';
import { layOutRange, type Range } from './transfers.ts';

interface RangeBarProps {
  readonly bundle: Range;
  /** Range that leaves the bundle. */
  readonly part: Range;
}

/** Draws a bundle as a bar, with the transferred part filled. The row shows the same in numbers. */
export function RangeBar({ bundle, part }: RangeBarProps) {
  const { from, width } = layOutRange(part, bundle);
  return (
    <svg className={styles['rangeBar']} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles['rangeRest']} x="0" y="0" width="100" height="10" />
      <rect className={styles['rangePart']} x={from} y="0" width={width} height="10" />
    </svg>
  );
}
