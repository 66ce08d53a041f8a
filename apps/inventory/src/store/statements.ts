import {
  foldedContains,
  foldedNameContains,
  isoTimestamp,
  Keyset,
  query,
  queryFirst,
  recordset,
  send,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type PageWindow,
  type Sql,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { Visibility } from '../domain/statement.ts';
import { issuanceFacts, type BundleView } from './bundle-views.ts';
import { isWithin } from './transaction-views.ts';

/** Statements of retirements. A trigger creates them together with the retirement. */

/** Times are ISO 8601. */
export interface StatementView extends Visibility {
  readonly id: string;
  readonly transactionId: string;
  readonly retiredAt: string;
  readonly retirement: unknown;
}

export interface SignedView extends StatementView {
  readonly secret: Buffer;
}

const visibility = sql`statement.publication,
  ${isoTimestamp('statement.beneficiary_hidden_until')} as "beneficiaryHiddenUntil"`;

const columns = sql`statement.id, statement.transaction_id as "transactionId", ${visibility},
  ${isoTimestamp('statement.retired_at')} as "retiredAt", transaction.retirement`;

/** Finds a statement by its id, or by the id of its transaction if it is public. */
export const findStatement = (em: EntityManager, id: string): Promise<SignedView | undefined> =>
  queryFirst(
    em,
    sql`select ${columns}, statement.secret
        from retirement_statement as statement
        join ledger_transaction as transaction on transaction.id = statement.transaction_id
        where statement.retired_at is not null
          and (statement.id = ${id} or (statement.transaction_id = ${id} and statement.publication = 'PUBLIC'))`,
  );

/** Reads the retired ranges, in the order of the selections. Serials are digits without leading zeros. */
export const findRetiredRanges = (em: EntityManager, transactionId: string): Promise<BundleView[]> =>
  query(
    em,
    sql`select ${issuanceFacts}, line.first::text as first, line.last::text as last
        from transaction_line as line join issuance on issuance.id = line.issuance_id
        where line.transaction_id = ${transactionId} order by line.ordinal`,
  );

export interface ListedStatement extends StatementView {
  /** Digits. */
  readonly volume: string;
}

const newestFirst = new Keyset(
  'statements',
  [
    { column: 'statement.retired_at', type: 'timestamptz' },
    { column: 'statement.id', type: 'text' },
  ],
  { descending: true },
);

export interface BeneficiarySearch {
  /** Text within the name, regardless of case and accents. */
  readonly part: string;
  /** Excludes names under embargo at this time. Show the statements as of the same time. */
  readonly now: Date;
}

/** Newest statements to scan per row of a page before using the index. */
const SCANNED_PER_ROW = 20;

/**
 * Public statements from which a page is selected. A frequent name fills the page from the newest statements. Only a
 * rare name uses the index, which first finds all matches. Its subquery is isolated, because a generic plan would scan
 * all statements in order.
 */
function statementsNamed(
  { part, now }: BeneficiarySearch,
  condition: Sql,
  { order, maxRows }: Pick<PageWindow, 'order' | 'maxRows'>,
): Sql {
  const folded = sql`statement.folded_beneficiary`;
  const isShown = sql`(
    statement.beneficiary_hidden_until is null
    or statement.beneficiary_hidden_until <= ${now.toISOString()}::timestamptz
  )`;
  const newest = SCANNED_PER_ROW * maxRows;
  return sql`
    with newest as materialized (
      select * from retirement_statement as statement where ${condition} order by ${order} limit ${newest}
    ), found as materialized (
      select * from newest as statement where ${isShown} and ${foldedContains(folded, part)}
    ), enough as (
      select (select count(*) from found) >= ${maxRows} or (select count(*) from newest) < ${newest} as "isReached"
    )
    select * from found where (select "isReached" from enough)
    union all
    select * from (
      select * from retirement_statement as statement
      where ${condition} and ${isShown} and ${foldedNameContains({ folded, scope: sql`''` }, '', part)} offset 0
    ) as statement where not (select "isReached" from enough)`;
}

/** Selects a page of public statements, newest first. */
export const selectPublicStatements = (
  em: EntityManager,
  range: TimeRange,
  page: PageRequest,
  search?: BeneficiarySearch,
): Promise<ListPart<ListedStatement>> =>
  newestFirst.page(em, { ...page, scope: { ...range, part: search?.part } }, (window) => {
    const { key, after, order, rows } = window;
    const condition = sql`statement.publication = 'PUBLIC' and statement.retired_at is not null
      and ${isWithin(range, sql`statement.retired_at`)} and ${after}`;
    const source = search
      ? sql`(${statementsNamed(search, condition, window)}) as statement`
      : sql`retirement_statement as statement where ${condition}`;
    return sql`select ${columns}, retired.volume, ${key}
          from (select * from ${source} order by ${order} ${rows}) as statement
          join ledger_transaction as transaction on transaction.id = statement.transaction_id
          cross join lateral (
            select sum(line.last - line.first + 1)::text as volume from transaction_line as line
            where line.transaction_id = statement.transaction_id
          ) as retired
          order by ${order}`;
  });

/** Statement of a retirement of one sales channel. `retiredAt` is null unless the retirement succeeded. */
export interface ChannelStatement extends Visibility {
  readonly id: string;
  readonly retiredAt: string | null;
  /** Time of the request. */
  readonly createdAt: string;
  readonly status: string;
}

/** Reads the statement of a retirement and locks it until the database transaction ends. */
export const lockStatement = (
  em: EntityManager,
  { salesChannelId, transactionId }: { salesChannelId: string; transactionId: string },
): Promise<ChannelStatement | undefined> =>
  queryFirst(
    em,
    sql`select statement.id, ${visibility}, ${isoTimestamp('statement.retired_at')} as "retiredAt",
          ${isoTimestamp('transaction.created_at')} as "createdAt", transaction.status
        from retirement_statement as statement
        join ledger_transaction as transaction on transaction.id = statement.transaction_id
        where statement.transaction_id = ${transactionId} and transaction.sales_channel_id = ${salesChannelId}
        for update of statement`,
  );

export interface PublishedStatement extends Visibility {
  readonly transactionId: string;
}

const publishedColumns = { transactionId: 'text', publication: 'text', beneficiaryHiddenUntil: 'timestamptz' } as const;

/** Sets the visibility of statements, which exist as soon as their retirements are inserted. */
export function publishStatements(em: EntityManager, statements: readonly PublishedStatement[]): void {
  if (statements.length === 0) return;
  send(
    em,
    sql`update retirement_statement set publication = given.publication,
          beneficiary_hidden_until = given."beneficiaryHiddenUntil"
        from ${recordset('given', publishedColumns, statements)}
        where retirement_statement.transaction_id = given."transactionId"`,
  );
}
