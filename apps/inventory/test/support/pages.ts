import type { SentTo } from '@saleschannel/grpc';
import { asRegistry, asUser, collect } from '@saleschannel/testing';
import type { Inventory } from './inventory.ts';

export type Document = Readonly<Record<string, unknown>>;

/** One page of a list. */
export interface ReadPage {
  readonly rows: Document[];
  readonly next: string | undefined;
  readonly total: number | undefined;
}

type Rendered = { readonly data: Buffer; readonly next?: string; readonly total?: string };

const pageFrom = ({ data, next, total }: Rendered): ReadPage => ({
  rows: JSON.parse(data.toString()) as Document[],
  next,
  total: total === undefined ? undefined : Number(total),
});

type RegistryPage = { limit?: number; offset?: number; after?: string | undefined };
export type TransactionsWanted = Omit<SentTo<'ledger.ListRegistryTransactions'>, 'page'>;
export type CertificatesWanted = Omit<SentTo<'ledger.ListCertificates'>, 'page'>;
export type ChannelWanted = Omit<SentTo<'inventory.PageTransactions'>, 'page'>;

const asked = ({ limit = 100, offset = 0, after }: RegistryPage) => ({
  limit,
  offset,
  ...(after === undefined ? {} : { after }),
});

/** A page that comes in pieces. The first of them tells about it. */
export async function pageOfPieces(pieces: AsyncIterable<Rendered>): Promise<ReadPage> {
  const all = await collect(pieces);
  return pageFrom({ ...all[0], data: Buffer.concat(all.map(({ data }) => data)) });
}

/** The pages of the ledger's lists. */
export const pagesFrom = ({ registryGateway, gateway }: Inventory) => ({
  transactions: async (wanted: TransactionsWanted = {}, page: RegistryPage = {}): Promise<ReadPage> =>
    pageOfPieces(registryGateway.ListRegistryTransactions({ ...wanted, page: asked(page) }, await asRegistry())),
  certificates: async (wanted: CertificatesWanted = {}, page: RegistryPage = {}): Promise<ReadPage> =>
    pageFrom(await registryGateway.ListCertificates({ ...wanted, page: asked(page) }, await asRegistry())),
  issuances: async (
    wanted: Omit<SentTo<'ledger.ListIssuances'>, 'page'> = {},
    page: RegistryPage = {},
  ): Promise<ReadPage> => {
    const request = { ...wanted, page: asked(page) };
    const { issuances, next, total } = await registryGateway.ListIssuances(request, await asRegistry());
    return { rows: issuances as unknown as Document[], next, total: Number(total) };
  },
  channel: async (salesChannelId: string, wanted: ChannelWanted = {}, page: RegistryPage = {}): Promise<ReadPage> => {
    const options = await asUser(salesChannelId, ['TRANSACTION_ADMINISTRATOR']);
    return pageOfPieces(gateway.PageTransactions({ ...wanted, page: asked(page) }, options));
  },
  inventory: async (
    traderId: string,
    filter: SentTo<'inventory.PageInventory'>['filter'] = null,
    page: RegistryPage = {},
  ): Promise<ReadPage> => {
    const options = await asUser(traderId.slice(0, traderId.indexOf('-')), ['ASSET_VIEWER']);
    return pageFrom(await gateway.PageInventory({ traderId, filter, page: asked(page) }, options));
  },
});

/** All rows of a list, page by page. */
export async function everyRow(read: (after: string | undefined) => Promise<ReadPage>): Promise<Document[]> {
  const rows: Document[] = [];
  let after: string | undefined;
  do {
    const page = await read(after);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== undefined);
  return rows;
}
