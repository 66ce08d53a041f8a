import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { asUser, collect } from '@saleschannel/testing';
import { computeInventoryVersion } from '../../src/rpc/inventory.ts';
import type { Inventory, Listed } from './inventory.ts';
import { channelOf } from './transfers.ts';

/** An inventory with its version. */
export interface VersionedRead {
  readonly version: string;
  readonly unchanged: boolean;
  /** Each as `<start>-<end>`. Empty if unchanged. */
  readonly ranges: string[];
}

type Request = Omit<SentTo<'inventory.ListInventory'>, 'traderId' | 'known'>;
type Page = NonNullable<SentTo<'inventory.PageInventory'>['page']>;

const toRange = ({ start, end }: Pick<Listed, 'start' | 'end'>): string => `${start}-${end}`;

export function toVersionedRead(pieces: readonly ReplyOf<'inventory.ListInventory'>[]): VersionedRead {
  const { version, unchanged } = pieces[0] ?? {};
  if (version === undefined || unchanged === undefined) throw new Error('an inventory has no version');
  const text = Buffer.concat(pieces.map(({ data }) => data)).toString();
  return { version, unchanged, ranges: text === '' ? [] : (JSON.parse(text) as Listed[]).map(toRange) };
}

const toKnown = (known: string | undefined) => (known === undefined ? null : { versions: [known], any: false });

/** Reads inventories with their versions. `known` is the version that the client has. */
export const createVersionReads = ({ gateway, service }: Inventory) => ({
  async list(traderId: string, known?: string, request: Request = {}): Promise<VersionedRead> {
    const options = await asUser(channelOf(traderId), ['ASSET_VIEWER']);
    return toVersionedRead(
      await collect(gateway.ListInventory({ ...request, traderId, known: toKnown(known) }, options)),
    );
  },
  async page(traderId: string, page: Page, known?: string, request: Request = {}): Promise<VersionedRead> {
    const options = await asUser(channelOf(traderId), ['ASSET_VIEWER']);
    return toVersionedRead([
      await gateway.PageInventory({ ...request, traderId, page, known: toKnown(known) }, options),
    ]);
  },
  /** Reads the inventory and its version in one snapshot, with the test's own statement. */
  async truth(traderId: string): Promise<VersionedRead> {
    const [row] = await service.sql<{ moved: string; expired: string | null; ranges: string[] }>(
      `select (
          select coalesce(sum(amount), 0)::text from (
            select rows as amount from list_count where list = 'inventory' and key = $1
            union all select delta from list_count_delta where list = 'inventory' and key = $1
          ) as part
        ) as moved,
        (
          select extract(epoch from max(expiration_date))::text from issuance where expiration_date <= now()
        ) as expired,
        (
          select coalesce(json_agg(
            issuance_id || '_' || previous_last + 1 || '-' || issuance_id || '_' || last order by issuance_id, last
          ), '[]')
          from bundle where owner_id = $1 and state = 'LISTABLE'
        ) as ranges`,
      [traderId],
    );
    if (!row) throw new Error('no row');
    const { ranges, ...changes } = row;
    const request = { salesChannelId: channelOf(traderId), traderId, filter: {} };
    return { version: computeInventoryVersion(changes, request), unchanged: false, ranges };
  },
});
