import type { ListPart } from './keyset.ts';

/** A page of a list with the size of the list. */
export interface PageOf<Row> extends ListPart<Row> {
  /** How many rows the whole list has, an int8 as text. */
  readonly total: string;
}
