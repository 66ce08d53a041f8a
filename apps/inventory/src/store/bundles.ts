import { query, recordset, send, sql, type EntityManager } from '@saleschannel/database';
import type { BundleBook } from '../domain/bundle-book.ts';
import type { Bundle, BundleState } from '../domain/bundle.ts';
import { isIssuanceId, type Certificate } from '../domain/selection.ts';

export interface BundleRow {
  readonly id: string;
  readonly issuanceId: string;
  readonly previousLast: string;
  readonly last: string;
  readonly state: BundleState;
  readonly ownerId: string;
  readonly salesChannelId: string | null;
  readonly serialWidth: number;
  readonly expired: boolean;
}

export const toBundle = (row: BundleRow): Bundle => ({
  id: row.id,
  issuance: { issuanceId: row.issuanceId, form: { width: row.serialWidth }, expired: row.expired },
  first: BigInt(row.previousLast) + 1n,
  last: BigInt(row.last),
  ownerId: row.ownerId,
  salesChannelId: row.salesChannelId ?? undefined,
  state: row.state,
});

export const bundleColumns = sql`
  bundle.id, bundle.issuance_id as "issuanceId", bundle.previous_last as "previousLast", bundle.last, bundle.state,
  bundle.owner_id as "ownerId", bundle.sales_channel_id as "salesChannelId", issuance.serial_width as "serialWidth",
  coalesce(issuance.expiration_date <= clock_timestamp(), false) as expired`;

/** Reads the bundles that contain the certificates. Skips certificates that do not exist. */
export async function readContaining(em: EntityManager, certificates: readonly Certificate[]): Promise<Bundle[]> {
  const wanted = recordset(
    'wanted',
    { issuanceId: 'uuid', serial: 'numeric' },
    certificates.filter(({ issuanceId }) => isIssuanceId(issuanceId)),
  );
  // One index probe per certificate. Several certificates may be in one bundle.
  const rows = await query<BundleRow>(
    em,
    sql`select ${bundleColumns} from ${wanted}
        cross join lateral (
          select * from bundle as candidate
          where candidate.issuance_id = wanted."issuanceId" and candidate.last >= wanted.serial
          order by candidate.last limit 1
        ) as bundle
        join issuance on issuance.id = bundle.issuance_id
        where bundle.owner_id is not null`,
  );
  return [...new Map(rows.map((row) => [row.id, row])).values()].map(toBundle);
}

/** A serial of the old form in a trader's request. */
export interface OldSerial {
  readonly salesChannelId: string;
  readonly traderId: string;
  readonly serial: bigint;
}

/**
 * Reads the trader's listable bundles that contain each serial: one bundle, unless issuances share the serial. Skips
 * bundles of other traders, and serials of the new form.
 */
export async function readContainingOldSerials(em: EntityManager, serials: readonly OldSerial[]): Promise<Bundle[][]> {
  const columns = { index: 'int', salesChannelId: 'text', traderId: 'text', serial: 'numeric' } as const;
  const wanted = recordset(
    'wanted',
    columns,
    serials.map((serial, index) => ({ ...serial, index })),
  );
  // The partial index has this condition on the width.
  const rows = await query<BundleRow & { index: number }>(
    em,
    sql`select wanted.index, ${bundleColumns} from ${wanted}
        join issuance on issuance.serial_width > 18
          and numrange(issuance.first_serial, issuance.last_serial, '[]') @> wanted.serial
        cross join lateral (
          select candidate.* from bundle as candidate
          where candidate.issuance_id = issuance.id and candidate.last >= wanted.serial
          order by candidate.last limit 1
        ) as bundle
        where bundle.owner_id = wanted."traderId" and bundle.sales_channel_id = wanted."salesChannelId"
          and bundle.state = 'LISTABLE'`,
  );
  const byIndex = Map.groupBy(rows, ({ index }) => index);
  return serials.map((_serial, index) => (byIndex.get(index) ?? []).map(toBundle));
}

/**
 * Locks the issuances in a fixed order, then reads the bundles that contain the certificates into the book and returns
 * them. Skips certificates that do not exist. Bundles themselves have no stable lock order, because they split, merge
 * and disappear while a transaction waits.
 */
export async function lockBundles(
  em: EntityManager,
  book: BundleBook,
  certificates: readonly Certificate[],
): Promise<Bundle[]> {
  const issuanceIds = [...new Set(certificates.map(({ issuanceId }) => issuanceId).filter(isIssuanceId))];
  if (issuanceIds.length === 0) return [];
  const [, bundles] = await Promise.all([
    query(em, sql`select id from issuance where id = any(${issuanceIds}::uuid[]) order by id for no key update`),
    readContaining(em, certificates),
  ]);
  for (const bundle of bundles) book.add(bundle);
  return bundles;
}

const toRow = ({ id, issuance, first, last, state, ownerId, salesChannelId }: Bundle) => ({
  id,
  issuanceId: issuance.issuanceId,
  previousLast: first - 1n,
  last,
  state,
  ownerId,
  salesChannelId,
});

/** Reserves ids for new bundles. Unused ids leave gaps. */
export async function reserveIds(em: EntityManager, count: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select nextval('bundle_id_seq') as id from generate_series(1, ${count}::int)`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Writes the changes of the book: deletes merged bundles, updates changed bundles, and inserts new bundles with ids.
 * @param reserved ids for new bundles. If they are too few, more are reserved now
 * @param transactionId the transaction that merged bundles
 */
export async function saveBook(
  em: EntityManager,
  book: BundleBook,
  { reserved = [], transactionId }: { reserved?: readonly string[]; transactionId?: string } = {},
): Promise<void> {
  saveMerges(em, book, transactionId);
  const [fresh, known] = [book.listChanged().filter(isNew), book.listChanged().filter((bundle) => !isNew(bundle))];
  const missing = fresh.length - reserved.length;
  const ids = missing > 0 ? [...reserved, ...(await reserveIds(em, missing))] : reserved;
  for (const [index, bundle] of fresh.entries()) bundle.id = ids[index];
  updateBundles(em, known);
  insertBundles(em, fresh);
}

const isNew = (bundle: Bundle): boolean => bundle.id === undefined;

const columns = {
  id: 'bigint',
  issuanceId: 'uuid',
  previousLast: 'numeric',
  last: 'numeric',
  state: 'text',
  ownerId: 'text',
  salesChannelId: 'text',
} as const;

function updateBundles(em: EntityManager, bundles: readonly Bundle[]): void {
  if (bundles.length === 0) return;
  send(
    em,
    sql`update bundle set previous_last = changed."previousLast", state = changed.state,
          owner_id = changed."ownerId", sales_channel_id = changed."salesChannelId"
        from ${recordset('changed', columns, bundles.map(toRow))} where bundle.id = changed.id`,
  );
}

function insertBundles(em: EntityManager, bundles: readonly Bundle[]): void {
  if (bundles.length === 0) return;
  send(
    em,
    sql`insert into bundle (id, issuance_id, previous_last, last, state, owner_id, sales_channel_id)
        overriding system value
        select id, "issuanceId", "previousLast", last, state, "ownerId", "salesChannelId"
        from ${recordset('fresh', columns, bundles.map(toRow))}`,
  );
}

function saveMerges(em: EntityManager, book: BundleBook, transactionId: string | undefined): void {
  const merges = book.listMerges().map(({ absorbed, into }) => ({
    absorbedBundleId: absorbed.id,
    intoBundleId: into.id,
    issuanceId: absorbed.issuance.issuanceId,
    first: absorbed.first,
    last: absorbed.last,
  }));
  if (merges.length === 0) return;
  const columns = {
    absorbedBundleId: 'bigint',
    intoBundleId: 'bigint',
    issuanceId: 'uuid',
    first: 'numeric',
    last: 'numeric',
  } as const;
  send(
    em,
    sql`insert into bundle_merge (transaction_id, absorbed_bundle_id, into_bundle_id, issuance_id, first, last)
        select ${transactionId}, "absorbedBundleId", "intoBundleId", "issuanceId", first, last
        from ${recordset('merged', columns, merges)}`,
  );
  const absorbed = merges.map(({ absorbedBundleId }) => absorbedBundleId);
  send(em, sql`delete from bundle where id = any(${absorbed}::bigint[])`);
}
