import {
  totalExpression,
  evaluate,
  join,
  Keyset,
  sql,
  type EntityManager,
  type PageRequest,
  type PageWithTotal,
  type PageWindow,
  type Sql,
  limitPart,
} from '@saleschannel/database';
import type { ListOrder } from '@saleschannel/primitives/validation';
import type { BundleState } from '../domain/bundle.ts';
import { bundleColumns, selectFirstUnshownSerial, isNotExpired, type OwnedBundleView } from './bundle-views.ts';

/**
 * Lists of bundles, in the order of issuance and serial, which certificates keep when bundles split and merge. So a
 * certificate that stays in the list appears exactly once, even if bundles change between two pages.
 */

export const bySerial = [
  { column: 'bundle.issuance_id', type: 'uuid' },
  { column: 'bundle.last', type: 'numeric' },
] as const;
const certificates = new Keyset('certificates', bySerial);

/** Sort keys for the bundles of an owner. */
export const bundleOrders = ['issuingDate', 'vintage', 'volume'] as const;
export type BundleOrder = ListOrder<(typeof bundleOrders)[number]>;

const sortColumns = {
  issuingDate: { column: 'issuance.issuing_date', type: 'timestamptz' },
  vintage: { column: 'issuance.vintage', type: 'bigint' },
  volume: { column: '(bundle.last - bundle.previous_last)', type: 'numeric' },
} as const;

/**
 * Bundles with equal values are sorted by issuance and serial in both directions, so that a bundle that splits between
 * two pages continues where the previous page ended.
 */
export function createBundleKeysets(list: string) {
  const createKeysets = (by: BundleOrder['by']) => ({
    ascending: new Keyset(`${list}-by-${by}`, [sortColumns[by], ...bySerial]),
    descending: new Keyset(`${list}-by-${by}-descending`, [{ ...sortColumns[by], isReversed: true }, ...bySerial]),
  });
  return {
    issuingDate: createKeysets('issuingDate'),
    vintage: createKeysets('vintage'),
    volume: createKeysets('volume'),
  };
}

/**
 * An owner belongs to one channel. The condition is hidden from indexes, because a generic plan might otherwise scan
 * all bundles of the channel.
 */
export const isInOwnersChannel = (salesChannelId: string): Sql =>
  sql`(bundle.sales_channel_id = ${salesChannelId}) is true`;

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
