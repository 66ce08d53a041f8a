import {
  evaluate,
  isoTimestamp,
  join,
  Keyset,
  limitPart,
  query,
  queryFirst,
  sql,
  totalExpression,
  type EntityManager,
  type PageRequest,
  type PageWindow,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';
import type { BundleState } from '../domain/bundle.ts';
import type { TransactionStatus, TransactionType } from '../domain/transaction.ts';
import {
  bundleColumns,
  bySerial,
  isInOwnersChannel,
  isNotExpired,
  issuanceFacts,
  selectFirstUnshownSerial,
  type BundleView,
  type OwnedBundleView,
} from './bundle-views.ts';

/** Certificates: the list of all in use, and state and history of one. */

const certificates = new Keyset('certificates', bySerial);

/** States of certificates in use. Offramped certificates belong to their account holder again. */
const activeStates: readonly BundleState[] = ['HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED'];

export const certificateStatuses = ['HELD', 'LISTABLE', 'RESERVED'] as const;

export interface CertificateFilter {
  readonly issuanceId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly salesChannelId?: string | undefined;
  readonly status?: (typeof certificateStatuses)[number] | undefined;
}

function selectStates({ status, salesChannelId }: CertificateFilter): readonly BundleState[] {
  const states: readonly BundleState[] =
    status === undefined ? activeStates : status === 'HELD' ? ['HELD', 'OFFRAMPED'] : [status];
  // Only these states belong to a sales channel.
  return salesChannelId === undefined ? states : states.filter((state) => state === 'LISTABLE' || state === 'RESERVED');
}

/** Conditions of disjoint index ranges, each in the order of the list. */
function toParts(filter: CertificateFilter): readonly Sql[] {
  const { issuanceId, ownerId, salesChannelId } = filter;
  const states = selectStates(filter);
  const conditions: Sql[] = [];
  if (issuanceId !== undefined) conditions.push(sql`bundle.issuance_id = ${issuanceId}::uuid`);
  if (ownerId !== undefined) conditions.push(sql`bundle.owner_id = ${ownerId}`);
  if (salesChannelId !== undefined && ownerId !== undefined) conditions.push(isInOwnersChannel(salesChannelId));
  else if (salesChannelId !== undefined) {
    // The partial index of channels has these states.
    conditions.push(sql`bundle.sales_channel_id = ${salesChannelId} and bundle.state in ('LISTABLE', 'RESERVED')`);
  }
  if (conditions.length === 0) return states.map((state) => sql`bundle.state = ${state} and ${isActive}`);
  return [join([...conditions, sql`bundle.state = any(${states}::text[])`, isActive], ' and ')];
}

const isActive = sql`bundle.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')`;

const pageStatement =
  (parts: readonly Sql[], limitOf: (maxRows: number) => Sql) =>
  ({ key, after, order, rows, maxRows, from }: PageWindow): Sql => {
    const ranges = parts.map(
      (condition) => sql`(
        select bundle.issuance_id, bundle.previous_last, bundle.last, bundle.owner_id, bundle.sales_channel_id,
          bundle.state, issuance
        from bundle join issuance on issuance.id = bundle.issuance_id
        where ${condition} and ${isNotExpired} and ${after} order by ${order} ${limitOf(maxRows)}
      )`,
    );
    return sql`select ${bundleColumns}, ${selectFirstUnshownSerial(from)}, ${key},
        bundle.owner_id as "ownerId", bundle.sales_channel_id as "salesChannelId", bundle.state
      from (select * from (${join(ranges, ' union all ')}) as bundle order by ${order} ${rows}) as bundle
      cross join lateral (select (bundle.issuance).*) as issuance order by ${order}`;
  };

/** Selects a page of all active bundles, with their owners. */
export async function selectCertificates(
  em: EntityManager,
  filter: CertificateFilter,
  page: PageRequest,
): Promise<PageWithTotal<OwnedBundleView>> {
  // Within one issuance the cursor bounds the scan. A small limit would make the plan start at its first bundle.
  const limitOf = filter.issuanceId === undefined ? limitPart : (maxRows: number) => sql`limit ${maxRows}`;
  const statement = pageStatement(toParts(filter), limitOf);
  const part = await certificates.page<OwnedBundleView>(em, { ...page, scope: filter }, statement);
  return { ...part, total: await countCertificates(em, filter) };
}

function countCertificates(em: EntityManager, filter: CertificateFilter): Promise<string> {
  const { issuanceId, ownerId, salesChannelId } = filter;
  const conditions = Object.entries({ issuance: issuanceId, owner: ownerId, channel: salesChannelId }).filter(
    ([, id]) => id !== undefined,
  );
  const [one, another] = conditions;
  // Combinations have no stored count: count the rows in an index.
  if (another) {
    const parts = toParts(filter).map((condition) => sql`${condition} and ${isNotExpired}`);
    return evaluate(
      em,
      sql`(select count(*) from bundle join issuance on issuance.id = bundle.issuance_id where ${join(parts, ' or ')})`,
    );
  }
  const keys = selectStates(filter).map((state) => (one ? `${one[0]}/${state}/${one[1]}` : `state/${state}`));
  return evaluate(em, sql`${totalExpression('certificate', keys)} - ${countExpired(filter)}`);
}

/** Expired issuances that the stored counts still include. A job removes them soon, so they are few. */
const countExpired = (filter: CertificateFilter): Sql => sql`(
  select count(*) from issuance_expiry join bundle on bundle.issuance_id = issuance_expiry.issuance_id
  where issuance_expiry.expiration_date <= statement_timestamp() and (${join(
    toParts(filter).map((condition) => sql`(${condition})`),
    ' or ',
  )})
)`;

/** Times are ISO 8601. */
export interface CertificateState extends BundleView {
  readonly isRetired: boolean;
  readonly isExpired: boolean;
  readonly retiredAt: string | null;
  /** Null unless the statement is public. */
  readonly statementId: string | null;
}

/**
 * Finds a certificate by its current bundle. A retired bundle never changes, so its last line is the line of the
 * retirement.
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

/** One step in the history of a certificate. Times are ISO 8601. */
export interface HistoryStep {
  readonly transactionId: string;
  readonly issuanceId: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly at: string;
  readonly first: string;
  readonly last: string;
  readonly sourceFirst: string | null;
  readonly sourceLast: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
  readonly accountHolderId: string | null;
  readonly serialWidth: number;
}

/**
 * Selects all bundles that ever contained a certificate, from the current bundle back to the bundle of the issuance.
 * The certificate entered each bundle from an earlier one: by a line, as the part before a line, or by a merge. The
 * last serial of a bundle never changes.
 */
const selectContainingBundles = (issuanceId: string, serial: Sql): Sql => sql`
  containing (bundle_id) as (
    (
      select id from bundle where issuance_id = ${issuanceId}::uuid and last >= ${serial} order by last limit 1
    )
    union
    select earlier.bundle_id from containing cross join lateral (
      select line.source_bundle_id as bundle_id from transaction_line as line
      where line.bundle_id = containing.bundle_id and line.first <= ${serial} and line.source_bundle_id is not null
      union all
      select line.source_bundle_id from transaction_line as line
      where line.before_bundle_id = containing.bundle_id and line.source_first <= ${serial} and line.first > ${serial}
      union all
      select merge.absorbed_bundle_id from bundle_merge as merge
      where merge.into_bundle_id = containing.bundle_id and merge.last >= ${serial} and merge.first <= ${serial}
    ) as earlier
  )`;

/**
 * Reads the steps of one certificate, oldest first. Empty for an unknown certificate. `offset 0` looks up lines bundle
 * by bundle, in the index of each partition. PostgreSQL cannot foresee how few bundles there are, and a plan for many
 * would read all lines.
 */
export const findHistory = (em: EntityManager, issuanceId: string, serial: string): Promise<HistoryStep[]> =>
  query(
    em,
    sql`with recursive ${selectContainingBundles(issuanceId, sql`${serial}::numeric`)}
        select transaction.id as "transactionId", transaction.type, transaction.status,
          line.issuance_id as "issuanceId",
          ${isoTimestamp('coalesce(transaction.completed_at, transaction.created_at)')} as at,
          line.first::text as first, line.last::text as last, line.source_first::text as "sourceFirst",
          line.source_last::text as "sourceLast", transaction.seller_id as "sellerId",
          transaction.buyer_id as "buyerId", transaction.account_holder_id as "accountHolderId",
          issuance.serial_width as "serialWidth"
        from containing cross join lateral (
          select * from transaction_line as line
          where line.bundle_id = containing.bundle_id
            and line.first <= ${serial}::numeric and line.last >= ${serial}::numeric
          offset 0
        ) as line
        join ledger_transaction as transaction on transaction.id = line.transaction_id
        join issuance on issuance.id = line.issuance_id
        order by transaction.number`,
  );
