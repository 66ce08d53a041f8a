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

const toReadPage = ({ data, next, total }: Rendered): ReadPage => ({
  rows: JSON.parse(data.toString()) as Document[],
  next,
  total: total === undefined ? undefined : Number(total),
});

type RegistryPage = { limit?: number; offset?: number; after?: string | undefined };
export type TransactionListRequest = Omit<SentTo<'ledger.ListRegistryTransactions'>, 'page'>;
export type CertificateListRequest = Omit<SentTo<'ledger.ListCertificates'>, 'page'>;
export type ChannelListRequest = Omit<SentTo<'inventory.PageTransactions'>, 'page'>;

const toPage = ({ limit = 100, offset = 0, after }: RegistryPage) => ({
  limit,
  offset,
  ...(after === undefined ? {} : { after }),
});

/** Reads a page from a stream. The first message has its cursor and total. */
export async function readStreamedPage(pieces: AsyncIterable<Rendered>): Promise<ReadPage> {
  const all = await collect(pieces);
  return toReadPage({ ...all[0], data: Buffer.concat(all.map(({ data }) => data)) });
}

/** Reads pages of the lists. */
export const createPageReads = ({ registryGateway, gateway }: Inventory) => ({
  transactions: async (request: TransactionListRequest = {}, page: RegistryPage = {}): Promise<ReadPage> =>
    readStreamedPage(registryGateway.ListRegistryTransactions({ ...request, page: toPage(page) }, await asRegistry())),
  certificates: async (request: CertificateListRequest = {}, page: RegistryPage = {}): Promise<ReadPage> =>
    toReadPage(await registryGateway.ListCertificates({ ...request, page: toPage(page) }, await asRegistry())),
  issuances: async (
    request: Omit<SentTo<'ledger.ListIssuances'>, 'page'> = {},
    page: RegistryPage = {},
  ): Promise<ReadPage> => {
    const sent = { ...request, page: toPage(page) };
    const { issuances, next, total } = await registryGateway.ListIssuances(sent, await asRegistry());
    return { rows: issuances as unknown as Document[], next, total: Number(total) };
  },
  channel: async (
    salesChannelId: string,
    request: ChannelListRequest = {},
    page: RegistryPage = {},
  ): Promise<ReadPage> => {
    const options = await asUser(salesChannelId, ['TRANSACTION_ADMINISTRATOR']);
    return readStreamedPage(gateway.PageTransactions({ ...request, page: toPage(page) }, options));
  },
  inventory: async (
    traderId: string,
    filter: SentTo<'inventory.PageInventory'>['filter'] = null,
    page: RegistryPage = {},
  ): Promise<ReadPage> => {
    const options = await asUser(traderId.slice(0, traderId.indexOf('-')), ['ASSET_VIEWER']);
    return toReadPage(await gateway.PageInventory({ traderId, filter, page: toPage(page) }, options));
  },
});

/** Reads all rows of a list, page by page. */
export async function readAllRows(read: (after: string | undefined) => Promise<ReadPage>): Promise<Document[]> {
  const rows: Document[] = [];
  let after: string | undefined;
  do {
    const page = await read(after);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== undefined);
  return rows;
}
