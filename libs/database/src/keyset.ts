import { createHash } from 'node:crypto';
import type { EntityManager } from './entity-manager.ts';
import { invalidRequest } from '@saleschannel/errors';
import { join, query, raw, sql, type Sql } from './sql.ts';

/** How the values of a key column look in a cursor. Everything else cannot have come from here. */
const keyForms = {
  text: /^[^\0]{1,1000}$/su,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  bigint: /^\d{1,18}$/,
  numeric: /^\d{1,39}$/,
  timestamptz: /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
} as const;

/** One column of a list's order. */
export interface KeyColumn {
  /** As the statement writes it: `transaction.created_at`. */
  readonly column: string;
  readonly type: keyof typeof keyForms;
  /**
   * For a column whose values must not be seen, such as a number that all tenants share: what the cursor holds instead,
   * and how the column's value is found by it.
   */
  readonly by?: { readonly column: string; find(value: Sql): Sql };
  /** Goes against the direction of the list. Then no index finds the rows after a cursor. */
  readonly isReversed?: boolean;
}

/** Which rows of a list are asked for. */
export interface PageAsked {
  readonly limit: number;
  readonly offset?: number | undefined;
  /** The cursor of a page before. */
  readonly after?: string | undefined;
  /** Whose list it is and how it is filtered. A cursor goes on in this list alone. */
  readonly scope?: unknown;
  /** What clients call `after`. */
  readonly parameter?: string | undefined;
}

/** The parts of a statement that reads a page. */
export interface PageWindow {
  /** A member of the `select`: the row's place in the order. */
  readonly key: Sql;
  /** A condition: the rows after the cursor. */
  readonly after: Sql;
  readonly order: Sql;
  /** The `limit` and `offset` of the page. */
  readonly rows: Sql;
  /** How many rows a part of the statement needs at most when the whole of it takes a page. */
  readonly reach: number;
  /** The values of the cursor, if there is one. */
  readonly from: readonly string[] | undefined;
}

/** Rows of a list. */
export interface ListPart<Row> {
  readonly rows: Row[];
  /** The cursor for the rows after these. Undefined when there are none. */
  readonly next: string | undefined;
}

const VERSION = 1;
const FINGERPRINT_CHARACTERS = 16;

/**
 * How one list is paged: by the values of the last row, never by counting rows (ADR 21). The columns name a row
 * together. Usually all go in one direction, and an index leads with them, so that a page at any depth reads its own
 * rows only.
 *
 * A cursor holds these values. It is opaque to clients and has no secret in it: all it can do is begin somewhere else
 * in a list that its bearer may read anyway.
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
   * Reads a page with one statement, so it is one snapshot.
   * @throws DomainError 'invalid-request' for a cursor that is broken or of another list
   */
  async page<Row extends object>(
    em: EntityManager,
    asked: PageAsked,
    statement: (window: PageWindow) => Sql,
  ): Promise<ListPart<Row>> {
    const found = await query<Row & { pageKey: string[] }>(em, statement(this.#window(asked)));
    const part = this.#part(found, asked, ({ pageKey }) => pageKey);
    return { ...part, rows: part.rows.map(({ pageKey: _pageKey, ...row }) => row as unknown as Row) };
  }

  /**
   * The same for a statement that returns several rows of the list as one, and no `key`: the less it returns for each
   * of many rows, the less they cost.
   * @param unfold the rows of the list in its order, one more than were asked for if there is one
   * @param keyOf the values of a row's columns, as the cursor holds them
   * @throws DomainError 'invalid-request' for a cursor that is broken or of another list
   */
  async foldedPage<Found extends object, Row>(
    em: EntityManager,
    asked: PageAsked,
    statement: (window: Omit<PageWindow, 'key'>) => Sql,
    unfold: (found: readonly Found[]) => Row[],
    keyOf: (row: Row) => readonly string[],
  ): Promise<ListPart<Row>> {
    return this.#part(unfold(await query<Found>(em, statement(this.#window(asked)))), asked, keyOf);
  }

  #part<Row>(found: Row[], { limit, scope }: PageAsked, keyOf: (row: Row) => readonly string[]): ListPart<Row> {
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { rows: found.slice(0, limit), next: last && this.#encode(keyOf(last), scope) };
  }

  #window(asked: PageAsked): PageWindow {
    const { limit, offset = 0 } = asked;
    const from = asked.after === undefined ? undefined : this.#decode(asked.after, asked);
    return {
      key: sql`json_build_array(${join(this.#columns.map(textOf))}) as "pageKey"`,
      after: from ? this.#after(from) : sql`true`,
      order: raw(this.#columns.map((each) => `${each.column}${this.#isDescending(each) ? ' desc' : ''}`).join(', ')),
      // One more, to know whether there is a next page.
      rows: sql`limit ${limit + 1} offset ${offset}`,
      reach: offset + limit + 1,
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

  /** Rows whose first different column is behind that of the cursor. */
  #afterEach(values: readonly Sql[]): Sql {
    const ways = this.#columns.map((each, index) => {
      const same = this.#columns.slice(0, index).map(({ column }, at) => sql`${raw(column)} = ${values[at] as Sql}`);
      const behind = sql`${raw(each.column)} ${raw(this.#isDescending(each) ? '<' : '>')} ${values[index] as Sql}`;
      return sql`(${join([...same, behind], ' and ')})`;
    });
    return sql`(${join(ways, ' or ')})`;
  }

  #fingerprint(scope: unknown): string {
    const text = JSON.stringify([this.#name, this.#descending, scope ?? null]);
    return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_CHARACTERS);
  }

  #encode(values: readonly string[], scope: unknown): string {
    return Buffer.from(JSON.stringify([VERSION, this.#fingerprint(scope), ...values])).toString('base64url');
  }

  #decode(cursor: string, { scope, parameter = 'after' }: PageAsked): readonly string[] {
    const parts = partsOf(cursor);
    const [version, fingerprint, ...values] = parts;
    const isWhole =
      version === VERSION &&
      values.length === this.#columns.length &&
      this.#columns.every(({ type }, index) => isOfForm(values[index], type));
    if (!isWhole) throw refused(parameter, 'is not a cursor that a page has given');
    if (fingerprint !== this.#fingerprint(scope)) {
      throw refused(parameter, 'is the cursor of another list: a cursor goes with the filters it was made for');
    }
    return values as string[];
  }
}

/**
 * Reads a list of any length page by page, each on a connection of its own for as long as it takes. The next page is
 * read while this one is on its way, and no further one: a slow reader holds two pages, and no connection.
 */
export async function* pagesOf<Row>(
  read: (after: string | undefined) => Promise<ListPart<Row>>,
): AsyncGenerator<Row[]> {
  let reading: Promise<ListPart<Row>> | undefined = read(undefined);
  while (reading) {
    const { rows, next }: ListPart<Row> = await reading;
    reading = next === undefined ? undefined : read(next);
    // Whoever asks for the page gets its fault. Nobody may ask.
    reading?.catch(() => undefined);
    if (rows.length > 0) yield rows;
  }
}

/** Times as exact as they are stored, everything else as text. */
const textOf = ({ column, type, by }: KeyColumn): Sql =>
  type === 'timestamptz'
    ? raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
    : raw(`${by ? by.column : column}::text`);

const isOfForm = (value: unknown, type: KeyColumn['type']): boolean =>
  typeof value === 'string' && keyForms[type].test(value) && value.isWellFormed() && isTime(value, type);

/** PostgreSQL refuses a time that does not exist, such as 30 February. */
function isTime(value: string, type: KeyColumn['type']): boolean {
  if (type !== 'timestamptz') return true;
  const at = new Date(value);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === value.slice(0, 19);
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const refused = (parameter: string, detail: string) =>
  invalidRequest('There is no such page.', [{ parameter, detail, code: 'cursor' }]);
