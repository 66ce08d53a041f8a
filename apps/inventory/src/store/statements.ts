import {
  foldedContains,
  hasInFolded,
  isoTimestamp,
  Keyset,
  query,
  queryFirst,
  recordset,
  send,
  sql,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type PageWindow,
  type Sql,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { Visibility } from '../domain/statement.ts';
import { issuanceFacts, type BundleView } from './bundle-views.ts';
import { isWithin } from './transaction-lists.ts';

/** Statements of retirements. The database makes them together with the retirement. */

/** Times are ISO 8601. */
export interface StatementView extends Visibility {
  readonly id: string;
  readonly transactionId: string;
  readonly retiredAt: string;
  readonly retirement: unknown;
}

/** What it takes to sign one. */
export interface SignedView extends StatementView {
  readonly secret: Buffer;
}

const visibility = sql`statement.publication,
  ${isoTimestamp('statement.beneficiary_hidden_until')} as "beneficiaryHiddenUntil"`;

const columns = sql`statement.id, statement.transaction_id as "transactionId", ${visibility},
  ${isoTimestamp('statement.retired_at')} as "retiredAt", transaction.retirement`;

/** By its own id, whoever it is for. By that of its transaction, only when it is public. */
export const findStatement = (em: EntityManager, id: string): Promise<SignedView | undefined> =>
  queryFirst(
    em,
    sql`select ${columns}, statement.secret
        from retirement_statement as statement
        join ledger_transaction as transaction on transaction.id = statement.transaction_id
        where statement.retired_at is not null
          and (statement.id = ${id} or (statement.transaction_id = ${id} and statement.publication = 'PUBLIC'))`,
  );

/** What a retirement retired, in the order of its selections. Serials are digits without leading zeros. */
export const findRetired = (em: EntityManager, transactionId: string): Promise<BundleView[]> =>
  query(
    em,
    sql`select ${issuanceFacts}, line.first::text as first, line.last::text as last
        from transaction_line as line join issuance on issuance.id = line.issuance_id
        where line.transaction_id = ${transactionId} order by line.ordinal`,
  );

/** A public statement in a list. */
export interface ListedStatement extends StatementView {
  /** Digits. */
  readonly volume: string;
}

const youngestFirst = new Keyset(
  'statements',
  [
    { column: 'statement.retired_at', type: 'timestamptz' },
    { column: 'statement.id', type: 'text' },
  ],
  { descending: true },
);

/** A name that is searched for. */
export interface BeneficiarySearch {
  /** Anywhere in the name, without regard to case and accents. */
  readonly part: string;
  /** Whose embargo is not over by then is not found. Statements are shown as of the same time. */
  readonly now: Date;
}

/** Statements that are looked through for each one of a page, before the index is asked. */
const LOOKED_THROUGH_PER_ROW = 20;

/**
 * The public statements that a page is cut from. A name that many statements have fills the page from the youngest of
 * them. Only otherwise the index is asked, which would find them all first. What it finds is a query of its own: a plan
 * for any values would go through all statements in order.
 */
function statementsNamed(
  { part, now }: BeneficiarySearch,
  condition: Sql,
  { order, reach }: Pick<PageWindow, 'order' | 'reach'>,
): Sql {
  const folded = sql`statement.folded_beneficiary`;
  const isShown = sql`(
    statement.beneficiary_hidden_until is null
    or statement.beneficiary_hidden_until <= ${now.toISOString()}::timestamptz
  )`;
  const youngest = LOOKED_THROUGH_PER_ROW * reach;
  return sql`
    with youngest as materialized (
      select * from retirement_statement as statement where ${condition} order by ${order} limit ${youngest}
    ), found as materialized (
      select * from youngest as statement where ${isShown} and ${foldedContains(folded, part)}
    ), enough as (
      select (select count(*) from found) >= ${reach} or (select count(*) from youngest) < ${youngest} as "isReached"
    )
    select * from found where (select "isReached" from enough)
    union all
    select * from (
      select * from retirement_statement as statement
      where ${condition} and ${isShown} and ${hasInFolded({ folded, scope: sql`''` }, '', part)} offset 0
    ) as statement where not (select "isReached" from enough)`;
}

/** A page of the public statements, youngest first. */
export const publicStatements = (
  em: EntityManager,
  range: TimeRange,
  asked: PageAsked,
  search?: BeneficiarySearch,
): Promise<ListPart<ListedStatement>> =>
  youngestFirst.page(em, { ...asked, scope: { ...range, part: search?.part } }, (window) => {
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

/** What became of a certificate. Times are ISO 8601. */
export interface CertificateState extends BundleView {
  readonly isRetired: boolean;
  readonly isExpired: boolean;
  readonly retiredAt: string | null;
  /** Of a public statement alone. */
  readonly statementId: string | null;
}

/**
 * One certificate, by the bundle that holds it now. A retired bundle never changes again, so the last line that made it
 * is that of its retirement.
 */
export const findCertificateState = (
  em: EntityManager,
  issuanceId: string,
  serial: string,
): Promise<CertificateState | undefined> =>
  queryFirst(
    em,
    sql`select ${issuanceFacts}, (bundle.previous_last + 1)::text as first, bundle.last::text as last,
          bundle.state = 'RETIRED' as "isRetired",
          coalesce(issuance.expiration_date <= statement_timestamp(), false) as "isExpired",
          ${isoTimestamp('statement.retired_at')} as "retiredAt",
          case when statement.publication = 'PUBLIC' then statement.id end as "statementId"
        from (
          select * from bundle
          where bundle.issuance_id = ${issuanceId}::uuid and bundle.last >= ${serial}::numeric
          order by bundle.last limit 1
        ) as bundle
        join issuance on issuance.id = bundle.issuance_id
        left join lateral (
          select statement.* from transaction_line as line
          join retirement_statement as statement on statement.transaction_id = line.transaction_id
          where bundle.state = 'RETIRED' and line.bundle_id = bundle.id and statement.retired_at is not null
          limit 1
        ) as statement on true
        where bundle.owner_id is not null`,
  );

/** Of a retirement of one sales channel. Null `retiredAt`: it waits, or did not succeed. */
export interface StatementOfChannel extends Visibility {
  readonly id: string;
  readonly retiredAt: string | null;
  /** When the retirement was asked for. */
  readonly createdAt: string;
  readonly status: string;
}

/** The statement of a retirement, locked until the database transaction ends. */
export const lockStatement = (
  em: EntityManager,
  { salesChannelId, transactionId }: { salesChannelId: string; transactionId: string },
): Promise<StatementOfChannel | undefined> =>
  queryFirst(
    em,
    sql`select statement.id, ${visibility}, ${isoTimestamp('statement.retired_at')} as "retiredAt",
          ${isoTimestamp('transaction.created_at')} as "createdAt", transaction.status
        from retirement_statement as statement
        join ledger_transaction as transaction on transaction.id = statement.transaction_id
        where statement.transaction_id = ${transactionId} and transaction.sales_channel_id = ${salesChannelId}
        for update of statement`,
  );

/** Who may see the statement of a retirement. */
export interface PublishedStatement extends Visibility {
  readonly transactionId: string;
}

const publishedColumns = { transactionId: 'text', publication: 'text', beneficiaryHiddenUntil: 'timestamptz' } as const;

/** Says who may see statements. Those of retirements of the same database transaction exist already. */
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
