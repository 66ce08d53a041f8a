/** Focused cell. Row 0 is the first row of the list. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Visible rows. */
  readonly page: number;
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** Target cell of a key (WAI-ARIA grid pattern). Undefined for other keys. */
export function nextPosition(
  key: string,
  isControl: boolean,
  { row, column }: CellPosition,
  extent: Extent,
): CellPosition | undefined {
  const { rows, columns, page } = extent;
  const moves: Record<string, () => CellPosition> = {
    ArrowDown: () => ({ row: row + 1, column }),
    ArrowUp: () => ({ row: row - 1, column }),
    ArrowRight: () => ({ row, column: column + 1 }),
    ArrowLeft: () => ({ row, column: column - 1 }),
    PageDown: () => ({ row: row + page, column }),
    PageUp: () => ({ row: row - page, column }),
    Home: () => (isControl ? { row: 0, column: 0 } : { row, column: 0 }),
    End: () => (isControl ? { row: rows - 1, column: columns - 1 } : { row, column: columns - 1 }),
  };
  const next = Object.hasOwn(moves, key) ? moves[key]?.() : undefined;
  return next && { row: clamp(next.row, rows), column: clamp(next.column, columns) };
}
