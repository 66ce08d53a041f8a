import { query, type EntityManager } from '@saleschannel/database';
import type { Bundle, BundleBook, BundleState } from '../domain/bundle-book.ts';
import { canBeIssuance } from '../domain/selection.ts';

interface BundleRow {
  id: string;
  issuance_id: string;
  previous_last: string;
  last: string;
  state: BundleState;
  owner_id: string;
  sales_channel_id: string | null;
  serial_width: number;
  expired: boolean;
}

/** A certificate, by issuance and serial. */
export interface Point {
  issuanceId: string;
  serial: bigint;
}

const columns = `b.id, b.issuance_id, b.previous_last, b.last, b.state, b.owner_id, b.sales_channel_id, i.serial_width,
  coalesce(i.expiration_date <= clock_timestamp(), false) as expired`;

const toBundle = (row: BundleRow): Bundle => ({
  id: row.id,
  issuance: { issuanceId: row.issuance_id, form: { width: row.serial_width }, expired: row.expired },
  first: BigInt(row.previous_last) + 1n,
  last: BigInt(row.last),
  ownerId: row.owner_id,
  salesChannelId: row.sales_channel_id,
  state: row.state,
});

const pointsAsJson = (points: readonly Point[]): string =>
  JSON.stringify(
    points
      .filter((point) => canBeIssuance(point.issuanceId))
      .map((point) => ({ i: point.issuanceId, s: String(point.serial) })),
  );

/** Ids of the bundles that hold these certificates: one index probe each. */
const covering = `
  select c.id from jsonb_to_recordset(?::jsonb) as p(i uuid, s numeric)
  cross join lateral (select b.id from bundle b where b.issuance_id = p.i and b.last >= p.s order by b.last limit 1) c`;

/** Reads the bundles that hold the certificates. */
export async function readCovering(em: EntityManager, points: readonly Point[]): Promise<Bundle[]> {
  const rows = await query<BundleRow>(
    em,
    `select ${columns} from bundle b join issuance i on i.id = b.issuance_id where b.id in (${covering}) and b.owner_id is not null`,
    [pointsAsJson(points)],
  );
  return rows.map(toBundle);
}

/**
 * Puts the bundles that hold the certificates into the book, to be changed, and returns them; certificates that do not exist are left out. Who changes bundles locks
 * their issuances, in one order, and reads afterwards: locks on the bundles themselves could not be taken in one order, for bundles split, merge and go while one
 * waits for them.
 */
export async function lockIntoBook(em: EntityManager, book: BundleBook, points: readonly Point[]): Promise<Bundle[]> {
  const issuances = [...new Set(points.map((point) => point.issuanceId).filter(canBeIssuance))];
  if (issuances.length === 0) return [];
  const lock =
    'select id from issuance where id in (select jsonb_array_elements_text(?::jsonb)::uuid) order by id for no key update';
  await query(em, lock, [JSON.stringify(issuances)]);
  const bundles = await readCovering(em, points);
  for (const bundle of bundles) book.add(bundle);
  return bundles;
}

const asJson = (bundles: readonly Bundle[]): string =>
  JSON.stringify(
    bundles.map((bundle) => ({
      id: bundle.id,
      i: bundle.issuance.issuanceId,
      p: String(bundle.first - 1n),
      l: String(bundle.last),
      s: bundle.state,
      o: bundle.ownerId,
      c: bundle.salesChannelId,
    })),
  );

/** Writes what the book changed: merged ones away, then shrunk, moved and grown ones, then new ones, which get their ids. */
export async function saveBook(em: EntityManager, book: BundleBook, transactionId?: string): Promise<void> {
  await saveMerges(em, book, transactionId);
  const changed = book.changed();
  const known = changed.filter((bundle) => bundle.id !== undefined);
  const fresh = changed.filter((bundle) => bundle.id === undefined);
  if (known.length > 0) {
    await query(
      em,
      `update bundle b set previous_last = r.p, state = r.s, owner_id = r.o, sales_channel_id = r.c
       from jsonb_to_recordset(?::jsonb) as r(id bigint, p numeric, s text, o text, c text) where b.id = r.id`,
      [asJson(known)],
    );
  }
  if (fresh.length === 0) return;
  const rows = await query<{ id: string; issuance_id: string; last: string }>(
    em,
    `insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
     select i, p, l, s, o, c from jsonb_to_recordset(?::jsonb) as r(i uuid, p numeric, l numeric, s text, o text, c text)
     returning id, issuance_id, last`,
    [asJson(fresh)],
  );
  const ids = new Map(rows.map((row) => [`${row.issuance_id}/${row.last}`, row.id]));
  for (const bundle of fresh) bundle.id = ids.get(`${bundle.issuance.issuanceId}/${bundle.last}`);
}

async function saveMerges(em: EntityManager, book: BundleBook, transactionId: string | undefined): Promise<void> {
  const merged = book.merged();
  if (merged.length === 0) return;
  const rows = merged.map(({ absorbed, into }) => ({
    a: absorbed.id,
    t: into.id,
    i: absorbed.issuance.issuanceId,
    f: String(absorbed.first),
    l: String(absorbed.last),
  }));
  const json = JSON.stringify(rows);
  await query(
    em,
    `insert into bundle_merge (transaction_id, absorbed_bundle_id, into_bundle_id, issuance_id, first, last)
     select ?, a, t, i, f, l from jsonb_to_recordset(?::jsonb) as r(a bigint, t bigint, i uuid, f numeric, l numeric)`,
    [transactionId, json],
  );
  await query(em, 'delete from bundle where id in (select a from jsonb_to_recordset(?::jsonb) as r(a bigint))', [json]);
}
