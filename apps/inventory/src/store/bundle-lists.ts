import {
  countedRows,
  evaluated,
  join,
  Keyset,
  sql,
  type EntityManager,
  type PageAsked,
  type PageOf,
  type PageWindow,
  type Sql,
  limitOfPart,
} from '@saleschannel/database';
import type { ListOrder } from '@saleschannel/primitives/validation';
import type { BundleState } from '../domain/bundle.ts';
import { bundleColumns, firstShown, isNotExpired, type OwnedBundleView } from './bundle-views.ts';

/**
 * Lists of bundles. They go by issuance and serial, which certificates keep, and not by bundles, which split and merge:
 * a certificate that is in the list all the while is shown exactly once, whatever happens between two pages.
 */

export const bySerial = [
  { column: 'bundle.issuance_id', type: 'uuid' },
  { column: 'bundle.last', type: 'numeric' },
] as const;
const certificates = new Keyset('certificates', bySerial);

/** What bundles of an owner can be ordered by. */
export const bundleOrders = ['issuingDate', 'vintage', 'volume'] as const;
export type BundleOrder = ListOrder<(typeof bundleOrders)[number]>;

const sortColumns = {
  issuingDate: { column: 'issuance.issuing_date', type: 'timestamptz' },
  vintage: { column: 'issuance.vintage', type: 'bigint' },
  volume: { column: '(bundle.last - bundle.previous_last)', type: 'numeric' },
} as const;

/**
 * Bundles with the same value go by issuance and serial in both directions: a bundle that splits between two pages is
 * shown from where the page before has ended.
 */
export function bundleKeysets(list: string) {
  const keysetsBy = (by: BundleOrder['by']) => ({
    ascending: new Keyset(`${list}-by-${by}`, [sortColumns[by], ...bySerial]),
    descending: new Keyset(`${list}-by-${by}-descending`, [{ ...sortColumns[by], isReversed: true }, ...bySerial]),
  });
  return { issuingDate: keysetsBy('issuingDate'), vintage: keysetsBy('vintage'), volume: keysetsBy('volume') };
}

/**
 * An owner is of one channel. A plan that is made for any values must not go through all that the channel has, so no
 * index finds this condition.
 */
export const isOfOwnersChannel = (salesChannelId: string): Sql =>
  sql`(bundle.sales_channel_id = ${salesChannelId}) is true`;

/** Certificates that are still in use. What was offramped is held by its account holder again. */
const activeStates: readonly BundleState[] = ['HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED'];

export const certificateStatuses = ['HELD', 'LISTABLE', 'RESERVED'] as const;

/** All conditions that are present hold at once. */
export interface CertificateFilter {
  readonly issuanceId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly salesChannelId?: string | undefined;
  readonly status?: (typeof certificateStatuses)[number] | undefined;
}

function statesOf({ status, salesChannelId }: CertificateFilter): readonly BundleState[] {
  const states: readonly BundleState[] =
    status === undefined ? activeStates : status === 'HELD' ? ['HELD', 'OFFRAMPED'] : [status];
  // The others are in no sales channel.
  return salesChannelId === undefined ? states : states.filter((state) => state === 'LISTABLE' || state === 'RESERVED');
}

/** Conditions that each a list of its own fulfils, in the order of the list. */
function partsOf(filter: CertificateFilter): readonly Sql[] {
  const { issuanceId, ownerId, salesChannelId } = filter;
  const states = statesOf(filter);
  const conditions: Sql[] = [];
  if (issuanceId !== undefined) conditions.push(sql`bundle.issuance_id = ${issuanceId}::uuid`);
  if (ownerId !== undefined) conditions.push(sql`bundle.owner_id = ${ownerId}`);
  if (salesChannelId !== undefined && ownerId !== undefined) conditions.push(isOfOwnersChannel(salesChannelId));
  else if (salesChannelId !== undefined) {
    // The index of channels holds these states alone.
    conditions.push(sql`bundle.sales_channel_id = ${salesChannelId} and bundle.state in ('LISTABLE', 'RESERVED')`);
  }
  if (conditions.length === 0) return states.map((state) => sql`bundle.state = ${state} and ${isActive}`);
  return [join([...conditions, sql`bundle.state = any(${states}::text[])`, isActive], ' and ')];
}

const isActive = sql`bundle.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')`;

const certificatesStatement =
  (parts: readonly Sql[], limitOf: (reach: number) => Sql) =>
  ({ key, after, order, rows, reach, from }: PageWindow): Sql => {
    const ranges = parts.map(
      (condition) => sql`(
        select bundle.issuance_id, bundle.previous_last, bundle.last, bundle.owner_id, bundle.sales_channel_id,
          bundle.state, issuance
        from bundle join issuance on issuance.id = bundle.issuance_id
        where ${condition} and ${isNotExpired} and ${after} order by ${order} ${limitOf(reach)}
      )`,
    );
    return sql`select ${bundleColumns}, ${firstShown(from)}, ${key},
        bundle.owner_id as "ownerId", bundle.sales_channel_id as "salesChannelId", bundle.state
      from (select * from (${join(ranges, ' union all ')}) as bundle order by ${order} ${rows}) as bundle
      cross join lateral (select (bundle.issuance).*) as issuance order by ${order}`;
  };

/** A page of the active bundles of the whole registry, with their owners. */
export async function activeCertificates(
  em: EntityManager,
  filter: CertificateFilter,
  asked: PageAsked,
): Promise<PageOf<OwnedBundleView>> {
  // Within one issuance the cursor bounds the plan, and a small limit would make it begin at the first bundle.
  const limitOf = filter.issuanceId === undefined ? limitOfPart : (reach: number) => sql`limit ${reach}`;
  const statement = certificatesStatement(partsOf(filter), limitOf);
  const part = await certificates.page<OwnedBundleView>(em, { ...asked, scope: filter }, statement);
  return { ...part, total: await totalOfCertificates(em, filter) };
}

function totalOfCertificates(em: EntityManager, filter: CertificateFilter): Promise<string> {
  const { issuanceId, ownerId, salesChannelId } = filter;
  const named = Object.entries({ issuance: issuanceId, owner: ownerId, channel: salesChannelId }).filter(
    ([, id]) => id !== undefined,
  );
  const [one, another] = named;
  // Two at once are counted within the smaller of both: its own rows in an index.
  if (another) {
    const parts = partsOf(filter).map((condition) => sql`${condition} and ${isNotExpired}`);
    return evaluated(
      em,
      sql`(select count(*) from bundle join issuance on issuance.id = bundle.issuance_id where ${join(parts, ' or ')})`,
    );
  }
  const keys = statesOf(filter).map((state) => (one ? `${one[0]}/${state}/${one[1]}` : `state/${state}`));
  return evaluated(em, sql`${countedRows('certificate', keys)} - ${countOfExpired(filter)}`);
}

/** Issuances leave the counts soon after they expire. Those that have not left yet are few. */
const countOfExpired = (filter: CertificateFilter): Sql => sql`(
  select count(*) from issuance_expiry join bundle on bundle.issuance_id = issuance_expiry.issuance_id
  where issuance_expiry.expiration_date <= statement_timestamp() and (${join(
    partsOf(filter).map((condition) => sql`(${condition})`),
    ' or ',
  )})
)`;
