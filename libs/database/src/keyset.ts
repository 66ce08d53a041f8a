import { createHash } from 'node:crypto';
import { invalidRequest } from '@saleschannel/errors';
import { type EntityManager, join, query, raw, sql, type Sql } from './sql.ts';

/** Form of a key column's values in a cursor. A cursor with other values is refused. */
const keyForms = {
  text: /^[^\0]{1,1000}$/su,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  bigint: /^\d{1,18}$/,
  numeric: /^\d{1,39}$/,
  timestamptz: /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
} as const;

/** One column of a list's order. */
export interface KeyColumn {
  /** Column as written in the statement, such as `transaction.created_at`. */
  readonly column: string;
  readonly type: keyof typeof keyForms;
  /**
   * For a column whose values must stay hidden, such as a number shared by all tenants: the column whose value the
   * cursor holds instead, and an expression that finds the hidden value by it.
   */
  readonly by?: { readonly column: string; find(value: Sql): Sql };
  /** Whether the column is sorted against the direction of the list. Then no index finds the rows after a cursor. */
  readonly isReversed?: boolean;
}

/** The requested rows of a list. */
export interface PageRequest {
  readonly limit: number;
  readonly offset?: number | undefined;
  /** The cursor of an earlier page. */
  readonly after?: string | undefined;
  /** Owner and filters of the list. A cursor is valid only for the same ones. */
  readonly scope?: unknown;
  /** Name of `after` for clients. */
  readonly parameter?: string | undefined;
}

/** Parts of a statement that reads a page. */
export interface PageWindow {
  /** Member of the select list with the row's key. */
  readonly key: Sql;
  /** Condition that selects the rows after the cursor. */
  readonly after: Sql;
  readonly order: Sql;
  /** `limit` and `offset` of the page. */
  readonly rows: Sql;
  /** Maximum number of rows that a part of the statement must return for the whole page. */
  readonly maxRows: number;
  /** Values of the cursor, if any. */
  readonly from: readonly string[] | undefined;
}

/** Rows of a list. */
export interface ListPart<Row> {
  readonly rows: Row[];
  /** Cursor of the next rows. Undefined at the end of the list. */
  readonly next: string | undefined;
}

/** A page of a list with the size of the list. */
export interface PageWithTotal<Row> extends ListPart<Row> {
  /** Number of rows of the whole list, an int8 as text. */
  readonly total: string;
}

const VERSION = 1;
const FINGERPRINT_CHARACTERS = 16;

/**
 * Pages one list by the values of the last row, never by counting rows (ADR 21). The columns together identify a row.
 * Usually all have the same direction and are the first columns of an index, so that a page at any depth reads only its
 * own rows.
 *
 * A cursor holds these values. It is opaque to clients but not secret: a forged one only starts elsewhere in a list
 * that its bearer may read anyway.
 */
export class Keyset {
  readonly #name: string;
  readonly #columns: readonly KeyColumn[];
  readonly #descending: boolean;

  constructor(name: string, columns: readonly KeyColumn[], { descending = false } = {}) {
    this.#name = name;
    this.#columns = columns;
    this.#descending = descending;
  }

  /**
   * Reads a page with one statement, and so in one snapshot.
   * @throws DomainError 'invalid-request' for a broken cursor or one of another list
   */
  async page<Row extends object>(
    em: EntityManager,
    request: PageRequest,
    statement: (window: PageWindow) => Sql,
  ): Promise<ListPart<Row>> {
    const found = await query<Row & { pageKey: string[] }>(em, statement(this.#window(request)));
    const part = this.#part(found, request, ({ pageKey }) => pageKey);
    return { ...part, rows: part.rows.map(({ pageKey: _pageKey, ...row }) => row as unknown as Row) };
  }

  /**
   * Like {@link page}, for a statement that returns several rows of the list as one, and no `key`. Smaller results make
   * large pages cheaper.
   * @param unfold returns the rows of the list in order, including one more than requested if there is one
   * @param toKey returns the values of a row's columns, as the cursor holds them
   * @throws DomainError 'invalid-request' for a broken cursor or one of another list
   */
  async foldedPage<Found extends object, Row>(
    em: EntityManager,
    request: PageRequest,
    statement: (window: Omit<PageWindow, 'key'>) => Sql,
    unfold: (found: readonly Found[]) => Row[],
    toKey: (row: Row) => readonly string[],
  ): Promise<ListPart<Row>> {
    return this.#part(unfold(await query<Found>(em, statement(this.#window(request)))), request, toKey);
  }

  #part<Row>(found: Row[], { limit, scope }: PageRequest, toKey: (row: Row) => readonly string[]): ListPart<Row> {
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { rows: found.slice(0, limit), next: last && this.#encode(toKey(last), scope) };
  }

  #window(request: PageRequest): PageWindow {
    const { limit, offset = 0 } = request;
    const from = request.after === undefined ? undefined : this.#decode(request.after, request);
    return {
      key: sql`json_build_array(${join(this.#columns.map(toText))}) as "pageKey"`,
      after: from ? this.#after(from) : sql`true`,
      order: raw(this.#columns.map((each) => `${each.column}${this.#isDescending(each) ? ' desc' : ''}`).join(', ')),
      // One more shows whether there is a next page.
      rows: sql`limit ${limit + 1} offset ${offset}`,
      maxRows: offset + limit + 1,
      from,
    };
  }

  #isDescending({ isReversed = false }: KeyColumn): boolean {
    return this.#descending !== isReversed;
  }

  #after(from: readonly string[]): Sql {
    const values = this.#columns.map(({ type, by }, index) => {
      const value = sql`${from[index]}::${raw(type)}`;
      return by ? by.find(value) : value;
    });
    if (this.#columns.some(({ isReversed }) => isReversed)) return this.#afterEach(values);
    const columns = raw(this.#columns.map(({ column }) => column).join(', '));
    return sql`(${columns}) ${raw(this.#descending ? '<' : '>')} (${join(values)})`;
  }

  /** Selects rows whose first column that differs from the cursor comes after it. */
  #afterEach(values: readonly Sql[]): Sql {
    const alternatives = this.#columns.map((each, index) => {
      const same = this.#columns.slice(0, index).map(({ column }, at) => sql`${raw(column)} = ${values[at] as Sql}`);
      const later = sql`${raw(each.column)} ${raw(this.#isDescending(each) ? '<' : '>')} ${values[index] as Sql}`;
      return sql`(${join([...same, later], ' and ')})`;
    });
    return sql`(${join(alternatives, ' or ')})`;
  }

  #fingerprint(scope: unknown): string {
    const text = JSON.stringify([this.#name, this.#descending, scope ?? null]);
    return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_CHARACTERS);
  }

  #encode(values: readonly string[], scope: unknown): string {
    return Buffer.from(JSON.stringify([VERSION, this.#fingerprint(scope), ...values])).toString('base64url');
  }

  #decode(cursor: string, { scope, parameter = 'after' }: PageRequest): readonly string[] {
    const parts = parseCursor(cursor);
    const [version, fingerprint, ...values] = parts;
    const isValid =
      version === VERSION &&
      values.length === this.#columns.length &&
      this.#columns.every(({ type }, index) => hasForm(values[index], type));
    if (!isValid) throw invalidCursor(parameter, 'is not a cursor of an earlier page');
    if (fingerprint !== this.#fingerprint(scope)) {
      throw invalidCursor(parameter, 'is a cursor of another list or of other filters');
    }
    return values as string[];
  }
}

/**
 * Reads a list of any length page by page. A connection is in use only while a page is read. One page is read ahead, so
 * a slow reader holds two pages in memory, and no connection.
 */
export async function* readPages<Row>(
  read: (after: string | undefined) => Promise<ListPart<Row>>,
): AsyncGenerator<Row[]> {
  let reading: Promise<ListPart<Row>> | undefined = read(undefined);
  while (reading) {
    const { rows, next }: ListPart<Row> = await reading;
    reading = next === undefined ? undefined : read(next);
    // The consumer gets the error with that page, if it continues.
    reading?.catch(() => undefined);
    if (rows.length > 0) yield rows;
  }
}

/**
 * Limits one part of a page's statement, only for the planner: the page takes no more rows than it needs anyway. If the
 * limit were a parameter, PostgreSQL would assume a tenth of the part. In a long list, a generic plan would then seem
 * expensive, and every page would be planned again, which takes as long as reading it. The limit is a power of two, so
 * that few texts are prepared.
 */
export const limitPart = (reach: number): Sql => sql`limit ${raw(String(2 ** Math.ceil(Math.log2(reach))))}`;

/** Returns a column's value as text, timestamps in full precision. */
const toText = ({ column, type, by }: KeyColumn): Sql =>
  type === 'timestamptz'
    ? raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
    : raw(`${by ? by.column : column}::text`);

const hasForm = (value: unknown, type: KeyColumn['type']): boolean =>
  typeof value === 'string' && keyForms[type].test(value) && value.isWellFormed() && isTime(value, type);

/** PostgreSQL rejects a time that does not exist, such as 30 February. */
function isTime(value: string, type: KeyColumn['type']): boolean {
  if (type !== 'timestamptz') return true;
  const at = new Date(value);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === value.slice(0, 19);
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const invalidCursor = (parameter: string, detail: string) =>
  invalidRequest('The cursor is not valid.', [{ parameter, detail, code: 'cursor' }]);
