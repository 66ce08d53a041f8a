// Not @tanstack/react-table: it would replace about 25 lines (the head of a sort, the column of a selection), and take
// as many to set up. The API sorts and pages, selections outlive their list, widths are CSS tracks, and only visible
// rows are loaded. Markup, virtual rows and grid keys would stay, and lists would load about 15 kB more (gzip).
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { formatNumber } from '../format/numbers.ts';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import type { Sorting } from './filters.ts';
import { nextPosition, type CellPosition } from './grid-keys.ts';
import styles from './grid.module.css';
import type { RowSource } from './row-source.ts';
import { Failure, Loading } from './state.tsx';

const text = translate({
  asPages: 'Show as pages',
  asList: 'Show as list',
  previous: 'Previous',
  next: 'Next',
  rows: (from: string, to: string, all: string) => `${from} to ${to} of ${all}`,
  atLeast: (count: string) => `${count} or more`,
  count: (count: string) => (count === '1' ? '1 row' : `${count} rows`),
  select: 'Select',
});

export interface Column<T> {
  /** Head of the column, unique in its grid. */
  readonly name: string;
  /** CSS grid track size: `8rem`, `minmax(10rem, 1fr)`. */
  readonly width: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'end';
  readonly isMono?: boolean;
  /** Sort key of the column head. */
  readonly sort?: string;
}

/** Selected rows. */
export interface Selection<T> {
  has(row: T): boolean;
  toggle(row: T): void;
  /** Whether a row can be selected. Undefined for every row. */
  readonly isOffered?: (row: T) => boolean;
  readonly label: (row: T) => string;
}

export interface GridProps<T> {
  /** Accessible label of the rows. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly source: RowSource<T>;
  readonly selection?: Selection<T>;
  readonly sorting?: Sorting;
  /** Called on Enter and double click. */
  readonly onOpen?: (row: T) => void;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
}

const OVERSCAN = 12;
const ROWS_OF_PAGE = 50;
const SELECT_WIDTH = '1.5rem';

const isOffered = <T,>(selection: Selection<T>, row: T): boolean => selection.isOffered?.(row) ?? true;

/** Columns, preceded by the selection. */
function withSelectionColumn<T>({ columns, selection }: GridProps<T>): readonly Column<T>[] {
  if (!selection) return columns;
  const select: Column<T> = {
    name: text.select,
    width: SELECT_WIDTH,
    cell: (row) =>
      isOffered(selection, row) && (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={selection.label(row)}
          checked={selection.has(row)}
          onChange={() => selection.toggle(row)}
        />
      ),
  };
  return [select, ...columns];
}

interface BodyProps<T> extends GridProps<T> {
  readonly template: string;
  readonly focus: CellPosition;
  readonly onFocus: (place: CellPosition) => void;
}

interface RowProps<T> {
  readonly grid: BodyProps<T>;
  readonly index: number;
  /** Offset from the top in pixels. Undefined for static layout. */
  readonly top?: number;
  /** Whether the focus is in this row. */
  readonly isFocused: boolean;
}

const cellClasses = ({ align, isMono }: { readonly align?: 'end'; readonly isMono?: boolean }): string =>
  [styles['cell'], align && styles['end'], isMono && styles['mono']].filter(Boolean).join(' ');

/** React sets `style` through CSSOM, which the content policy allows, unlike attributes in markup. */
function Row<T>({ grid, index, top, isFocused }: RowProps<T>) {
  const { source, columns, template, focus, onFocus, selection, onOpen } = grid;
  const row = source.rowAt(index);
  const isSelected = row !== undefined && selection ? selection.has(row) : undefined;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={[styles['row'], top === undefined ? undefined : styles['virtual']].filter(Boolean).join(' ')}
      style={{ gridTemplateColumns: template, ...(top === undefined ? {} : { transform: `translateY(${top}px)` }) }}
      onDoubleClick={() => row !== undefined && onOpen?.(row)}
    >
      {columns.map((column, at) => (
        <div
          key={column.name}
          role="gridcell"
          aria-colindex={at + 1}
          data-place={`${index}:${at}`}
          tabIndex={isFocused && focus.column === at ? 0 : -1}
          className={cellClasses(column)}
          onFocus={() => onFocus({ row: index, column: at })}
        >
          {row === undefined ? <span className={styles['pending']} /> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}

const arrows = { ascending: '▲', descending: '▼', none: '↕' } as const;

const sortDirection = ({ sort }: { readonly sort?: string }, { current }: Sorting): keyof typeof arrows =>
  current?.by !== sort ? 'none' : current?.descending ? 'descending' : 'ascending';

/** The head of the selection is only for screen readers. */
function HeadName<T>({ column, sorting }: { readonly column: Column<T>; readonly sorting: Sorting | undefined }) {
  const { name, sort } = column;
  if (name === text.select) return <span className="visually-hidden">{name}</span>;
  if (sort === undefined || !sorting) return name;
  return (
    <button type="button" className={styles['sort']} onClick={() => sorting.toggle(sort)}>
      {name} <span aria-hidden="true">{arrows[sortDirection(column, sorting)]}</span>
    </button>
  );
}

function Head<T>({ columns, template, sorting }: BodyProps<T>) {
  return (
    <div role="row" aria-rowindex={1} className={styles['head']} style={{ gridTemplateColumns: template }}>
      {columns.map((column, at) => (
        <div
          key={column.name}
          role="columnheader"
          aria-colindex={at + 1}
          aria-sort={sorting && column.sort !== undefined ? sortDirection(column, sorting) : undefined}
          className={cellClasses({ ...column, isMono: false })}
        >
          <HeadName column={column} sorting={sorting} />
        </div>
      ))}
    </div>
  );
}

/** Row height in pixels, from the style sheet. Touch screens have higher rows. */
const rowHeight = (): number => {
  const [, rem = '2'] =
    /([\d.]{1,9})rem/.exec(getComputedStyle(document.documentElement).getPropertyValue('--row')) ?? [];
  return Number(rem) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
};

/** Renders only visible rows and the focused row. */
function useVisibleRows(count: number, focusRow: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [height] = useState(rowHeight);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollPaddingStart: height,
    rangeExtractor: (range: Range) => {
      const rows = defaultRangeExtractor(range);
      if (focusRow >= range.count || rows.includes(focusRow)) return rows;
      return [...rows, focusRow].toSorted((one, other) => one - other);
    },
  });
  return { scroller, virtualizer, height };
}

interface FrameProps<T> extends ComponentProps<'div'> {
  readonly grid: BodyProps<T>;
  /** Height of head and rows in pixels. Undefined for static layout. */
  readonly height?: number;
}

/** The grid element, with its head. */
function Frame<T>({ grid, height, children, ...element }: FrameProps<T>) {
  const { label, source, columns } = grid;
  return (
    <div
      {...element}
      role="grid"
      aria-label={label}
      aria-rowcount={source.isCountKnown ? source.count + 1 : -1}
      aria-colcount={columns.length}
      aria-busy={source.isLoading}
    >
      <div className={styles['inner']} role="presentation" style={{ height }}>
        <Head {...grid} />
        {children}
      </div>
    </div>
  );
}

function VirtualBody<T>(props: BodyProps<T>) {
  const { source, columns, focus } = props;
  // One extra row beyond the known end triggers loading.
  const count = source.count + (source.isCountKnown ? 0 : 1);
  const { scroller, virtualizer, height } = useVisibleRows(count, focus.row);
  const items = virtualizer.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => source.show(startIndex, endIndex), [source, startIndex, endIndex]);
  const move = (event: KeyboardEvent): void => {
    const seen = Math.max(1, endIndex - startIndex - 1);
    onKey(event, props, { rows: count, columns: columns.length, page: seen }, (place) => {
      virtualizer.scrollToIndex(place.row);
    });
  };
  return (
    <Frame
      ref={scroller}
      className={styles['grid']}
      aria-multiselectable={props.selection !== undefined}
      onKeyDown={move}
      grid={props}
      height={virtualizer.getTotalSize() + height}
    >
      {items.map(({ index, start }) => (
        <Row key={index} grid={props} index={index} top={start + height} isFocused={focus.row === index} />
      ))}
    </Frame>
  );
}

function onKey<T>(
  event: KeyboardEvent,
  { source, selection, onOpen, focus, onFocus }: BodyProps<T>,
  extent: Parameters<typeof nextPosition>[3],
  reveal: (place: CellPosition) => void,
): void {
  const row = source.rowAt(focus.row);
  if (event.key === ' ' && selection && row !== undefined) {
    event.preventDefault();
    if (isOffered(selection, row)) selection.toggle(row);
    return;
  }
  if (event.key === 'Enter' && onOpen && row !== undefined && !isFromCellContent(event)) return onOpen(row);
  const next = nextPosition(event.key, event.ctrlKey || event.metaKey, focus, extent);
  if (!next) return;
  event.preventDefault();
  reveal(next);
  onFocus(next);
  const grid = event.currentTarget;
  // The row may render only after scrolling.
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      grid.querySelector<HTMLElement>(`[data-place="${next.row}:${next.column}"]`)?.focus({ preventScroll: true }),
    ),
  );
}

/** Keys on links and buttons in cells keep their own behaviour. */
const isFromCellContent = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.role !== 'gridcell';

function PagedBody<T>(props: BodyProps<T>) {
  const { source, columns, focus } = props;
  const [page, setPage] = useState(0);
  const first = page * ROWS_OF_PAGE;
  const last = source.isCountKnown ? Math.min(source.count, first + ROWS_OF_PAGE) - 1 : first + ROWS_OF_PAGE - 1;
  useEffect(() => source.show(first, last), [source, first, last]);
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  const all = source.isCountKnown ? formatNumber(source.count) : text.atLeast(formatNumber(source.count));
  const move = (event: KeyboardEvent): void =>
    onKey(event, props, { rows: last + 1, columns: columns.length, page: ROWS_OF_PAGE }, () => undefined);
  return (
    <>
      <Frame className={`${styles['grid']} ${styles['paged']}`} onKeyDown={move} grid={props}>
        {indexes.map((index) => (
          <Row key={index} grid={props} index={index} isFocused={Math.max(focus.row, first) === index} />
        ))}
      </Frame>
      <div className={styles['pager']}>
        <Button repeats disabled={page === 0} onClick={() => setPage(page - 1)}>
          {text.previous}
        </Button>
        <span>{text.rows(formatNumber(first + 1), formatNumber(last + 1), all)}</span>
        <Button repeats disabled={source.isCountKnown && last + 1 >= source.count} onClick={() => setPage(page + 1)}>
          {text.next}
        </Button>
      </div>
    </>
  );
}

/**
 * A long list that renders visible rows only, exposes all rows to assistive technology and supports grid keys. Users
 * can switch to pages.
 */
export function Grid<T>(props: GridProps<T>) {
  const { source } = props;
  const columns = withSelectionColumn(props);
  const template = columns.map(({ width }) => width).join(' ');
  const [focus, setFocus] = useState<CellPosition>({ row: 0, column: 0 });
  const [isPaged, setPaged] = useState(false);
  if (source.error && source.count === 0) return <Failure error={source.error} onRetry={source.retry} />;
  if (source.isLoading && source.count === 0) return <Loading />;
  if (source.isCountKnown && source.count === 0) return props.empty;
  const Body = isPaged ? PagedBody : VirtualBody;
  return (
    <div className={styles['frame']}>
      <div className={styles['bar']}>
        <span role="status">
          {source.isCountKnown ? text.count(formatNumber(source.count)) : text.atLeast(formatNumber(source.count))}
        </span>
        <Button look="quiet" onClick={() => setPaged(!isPaged)}>
          {isPaged ? text.asList : text.asPages}
        </Button>
      </div>
      {source.error !== undefined && <Failure error={source.error} onRetry={source.retry} />}
      <Body {...props} columns={columns} template={template} focus={focus} onFocus={setFocus} />
    </div>
  );
}
