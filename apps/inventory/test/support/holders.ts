import type { SentTo } from '@saleschannel/grpc';
import { asUser } from '@saleschannel/testing';
import { readJson, type Inventory } from './inventory.ts';
import { readStreamedPage, type Document, type ReadPage } from './pages.ts';

/** Call options of a user of an account holder, without a sales channel. */
export const asHolder = (accountHolderId: string): Promise<{ principalToken: string }> =>
  asUser(undefined, [], undefined, accountHolderId);

type Page = { limit?: number; after?: string | undefined };
const toPage = ({ limit = 100, after }: Page) => ({ limit, offset: 0, ...(after === undefined ? {} : { after }) });

/** Calls of users of account holders. */
export const createHolderCalls = ({ holders }: Inventory) => ({
  holdings: async (accountHolderId: string, filter: SentTo<'holdings.ListHoldings'>['filter'] = null) =>
    readJson<Document[]>(holders.ListHoldings({ filter }, await asHolder(accountHolderId))),
  sumOfHoldings: async (
    accountHolderId: string,
    filter: SentTo<'holdings.SummarizeHoldings'>['filter'] = null,
  ): Promise<Document> => read(await holders.SummarizeHoldings({ filter }, await asHolder(accountHolderId))),
  pageOfHoldings: async (
    accountHolderId: string,
    page: Page,
    filter: SentTo<'holdings.ListHoldings'>['filter'] = null,
    order: SentTo<'holdings.PageHoldings'>['order'] = null,
  ): Promise<ReadPage & { ordered: boolean }> => {
    const request = { filter, order, page: toPage(page) };
    const { data, next, ordered } = await holders.PageHoldings(request, await asHolder(accountHolderId));
    return { rows: JSON.parse(data.toString()) as Document[], next, total: undefined, ordered };
  },
  transactions: async (accountHolderId: string, request: SentTo<'holdings.ListHolderTransactions'> = {}) =>
    readJson<Document[]>(holders.ListHolderTransactions(request, await asHolder(accountHolderId))),
  pageOfTransactions: async (
    accountHolderId: string,
    page: Page,
    request: SentTo<'holdings.ListHolderTransactions'> = {},
  ): Promise<ReadPage> =>
    readStreamedPage(
      holders.PageHolderTransactions({ ...request, page: toPage(page) }, await asHolder(accountHolderId)),
    ),
  transaction: async (accountHolderId: string, transactionId: string): Promise<Document> =>
    read(await holders.GetHolderTransaction({ transactionId }, await asHolder(accountHolderId))),
  approve: async (accountHolderId: string, transactionId: string): Promise<Document> =>
    read(await holders.ApproveHolderTransaction({ transactionId }, await asHolder(accountHolderId))),
  reject: async (accountHolderId: string, transactionId: string): Promise<Document> =>
    read(await holders.RejectHolderTransaction({ transactionId }, await asHolder(accountHolderId))),
});

const read = ({ data }: { data: Buffer }): Document => JSON.parse(data.toString()) as Document;
