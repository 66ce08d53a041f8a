import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import {
  accountHolderOf,
  lookUpOwnerOf,
  readerOf,
  salesChannelOf,
  type Call,
  type RequestOf,
  type Rpc,
} from '@saleschannel/grpc';
import { idToFind, readChannelPage, readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import {
  resolveSummaryRange,
  parseChannelFilter,
  parseChannelExpansions,
  parseHolderFilter,
  parseRegistryFilter,
  parseSharedExpansions,
  parseSummaryRequest,
  channelTypes,
} from '../domain/list-requests.ts';
import {
  findHolderTransaction,
  addNamesToGroups,
  type NamedTransaction,
  addLines,
} from '../operations/read-transactions.ts';
import { sumTransactions } from '../store/summaries.ts';
import {
  findTransactionDetail,
  type LineageView,
  type TransactionDetail,
  findTransaction,
  type TransactionHead,
} from '../store/transaction-views.ts';
import {
  selectChannelTransactions,
  selectHolderTransactions,
  selectRegistryTransactions,
} from '../store/transaction-lists.ts';
import { toExactNumber, toJsonDocument, toRangeEnds, toChunks, toRange, type ListForm } from './messages.ts';
import {
  createChannelForm,
  toChannelMembers,
  toDetailMembers,
  createHolderForm,
  toHolderMembers,
  createRegistryForm,
  toRegistryMembers,
  toTotals,
  type ExpandedTransaction,
} from './transaction-messages.ts';

export const getTransaction: Rpc<'inventory.GetTransaction', Context> =
  ({ findTransactionOfChannel }) =>
  async ({ transactionId }, call) => {
    const key = { salesChannelId: salesChannelOf(call), id: idToFind(transactionId) };
    const transaction = await findTransactionOfChannel(key, lookUpOwnerOf(call));
    if (!transaction) throw notFound();
    return toJsonDocument(toChannelMembers(transaction));
  };

export const getTransactionDetail: Rpc<'inventory.GetTransactionDetail', Context> =
  ({ findTransactionOfChannel, reads, findTraderNames }) =>
  async ({ transactionId }, call) => {
    const key = { salesChannelId: salesChannelOf(call), id: idToFind(transactionId) };
    const [transaction, detail] = await Promise.all([
      findTransactionOfChannel(key, lookUpOwnerOf(call)),
      // From the primary, because the transaction comes from there too.
      reads.primaryPage(readerOf(call), (em) => findTransactionDetail(em, key)),
    ]);
    if (!transaction || !detail) throw notFound();
    const { sellerId, buyerId } = transaction;
    const parties = [sellerId, buyerId].filter((id) => id !== null);
    const toParty = await findTraderNames(key.salesChannelId, parties, call);
    return toJsonDocument({
      ...toDetailMembers(transaction),
      seller: sellerId === null ? null : toParty(sellerId),
      buyer: buyerId === null ? null : toParty(buyerId),
      ...toDetail(detail),
      totals: toTotals(transaction),
    });
  };

const toDetail = ({ taskId, requestedBy, requestedWithKey, statement, lineage, ...notes }: TransactionDetail) => ({
  taskId,
  requestedBy: requestedBy === null ? null : { userId: requestedBy, keyId: requestedWithKey },
  lineage: lineage.map(toStep),
  statement,
  externalReference: notes.externalReference,
  metadata: notes.metadata ?? {},
});

/** The bundle that a selection was taken from, and the parts of it that remained. */
function toStep(line: LineageView): object {
  const [first, last] = [BigInt(line.first), BigInt(line.last)];
  const [sourceFirst, sourceLast] = [BigInt(line.sourceFirst), BigInt(line.sourceLast)];
  const rangeOrNull = (from: bigint, to: bigint) => (from > to ? null : toRange(line, from, to));
  return {
    ...toRangeEnds(line, first, last),
    bundle: rangeOrNull(sourceFirst, sourceLast),
    before: rangeOrNull(sourceFirst, first - 1n),
    after: rangeOrNull(last + 1n, sourceLast),
  };
}

export const getHolderTransaction: Rpc<'holdings.GetHolderTransaction', Context> =
  (context) =>
  async ({ transactionId }, call) =>
    toJsonDocument(
      toHolderMembers(await findHolderTransaction(context, accountHolderOf(call), idToFind(transactionId), call)),
    );

export const getRegistryTransaction: Rpc<'ledger.GetRegistryTransaction', Context> =
  ({ database }) =>
  async ({ transactionId }) =>
    readRegistryDocument(database.em(), idToFind(transactionId));

/**
 * Reads the registry's view of a transaction.
 * @throws DomainError 'not-found'
 */
export async function readRegistryDocument(em: EntityManager, id: string) {
  const transaction = await findTransaction(em, id);
  if (!transaction) throw notFound();
  return toJsonDocument(toRegistryMembers(transaction));
}

/** A list of transactions, to be read whole or by page. */
interface TransactionList<View, Page extends ListPart<TransactionHead> = ListPart<TransactionHead>> {
  readonly form: ListForm<View>;
  readonly select: (em: EntityManager, page: PageRequest) => Promise<Page>;
  /** Adds lines, names and notes. */
  readonly complete: (heads: Parameters<typeof addLines>[2]) => AsyncIterable<View[]>;
}

const streamAll = <View>({ reads }: Context, call: Call, { form, select, complete }: TransactionList<View>) =>
  toChunks(form, complete(reads.list(readerOf(call), select)), {});

/** Streams a page. Its lines are read while the client receives them, so it counts as a running list. */
function streamPage<View, Page extends ListPart<TransactionHead>>(
  { reads }: Context,
  call: Call,
  { form, select, complete }: TransactionList<View, Page>,
  page: PageRequest,
) {
  const reader = readerOf(call);
  return reads.countAsList(reader, async function* () {
    const { rows, ...position } = await reads.page(reader, (em) => select(em, page));
    yield* toChunks(form, complete([rows]), position);
  });
}

function createChannelList(
  { reads, findNamesForChannel }: Context,
  request: RequestOf<'inventory.ListTransactions'>,
  call: Call,
): TransactionList<ExpandedTransaction> {
  const salesChannelId = salesChannelOf(call);
  const expand = parseChannelExpansions(request.expand);
  const filter = { ...parseChannelFilter(request.filter), descending: request.descending };
  return {
    form: createChannelForm(request.format, expand),
    select: (em, page) => selectChannelTransactions(em, salesChannelId, filter, page),
    complete(heads) {
      const transactions = addLines(reads, readerOf(call), heads, expand);
      return expand.includes('names')
        ? addNamesToGroups(transactions, (group) => findNamesForChannel(group, call))
        : transactions;
    },
  };
}

export const listTransactions: Rpc<'inventory.ListTransactions', Context> = (context) =>
  async function* (request, call) {
    yield* streamAll(context, call, createChannelList(context, request, call));
  };

export const pageTransactions: Rpc<'inventory.PageTransactions', Context> = (context) =>
  async function* (request, call) {
    const list = createChannelList(context, request, call);
    yield* streamPage(context, call, list, readChannelPage(request.page));
  };

async function createHolderList(
  { reads, findTradersOfHolder, findNamesForHolder }: Context,
  accountHolderId: string,
  request: RequestOf<'holdings.ListHolderTransactions'>,
  call: Call,
): Promise<TransactionList<NamedTransaction>> {
  const filter = { ...parseHolderFilter(request.filter), descending: request.descending };
  const form = createHolderForm(request.format, parseSharedExpansions(request.expand));
  const holder = { accountHolderId, traders: await findTradersOfHolder(accountHolderId, call) };
  return {
    form,
    select: (em, page) => selectHolderTransactions(em, holder, filter, page),
    complete: (heads) =>
      addNamesToGroups(addLines(reads, readerOf(call), heads), (group) =>
        findNamesForHolder(accountHolderId, group, call),
      ),
  };
}

export const listHolderTransactions: Rpc<'holdings.ListHolderTransactions', Context> = (context) =>
  async function* (request, call) {
    yield* streamAll(context, call, await createHolderList(context, accountHolderOf(call), request, call));
  };

export const pageHolderTransactions: Rpc<'holdings.PageHolderTransactions', Context> = (context) =>
  async function* (request, call) {
    const accountHolderId = accountHolderOf(call);
    const page = readChannelPage(request.page);
    yield* streamPage(context, call, await createHolderList(context, accountHolderId, request, call), page);
  };

export const listRegistryTransactions: Rpc<'ledger.ListRegistryTransactions', Context> = (context) =>
  async function* (request, call) {
    const { reads, findNamesForRegistry } = context;
    const page = readPage(request.page);
    const filter = parseRegistryFilter(request);
    const expand = parseSharedExpansions(request.expand);
    const list: TransactionList<ExpandedTransaction, Awaited<ReturnType<typeof selectRegistryTransactions>>> = {
      form: createRegistryForm(request.format, expand),
      select: (em, part) => selectRegistryTransactions(em, filter, part),
      complete(heads) {
        const transactions = addLines(reads, readerOf(call), heads);
        return expand.includes('names')
          ? addNamesToGroups(transactions, (group) => findNamesForRegistry(group, call))
          : transactions;
      },
    };
    yield* streamPage(context, call, list, page);
  };

export const summarizeTransactions: Rpc<'inventory.SummarizeTransactions', Context> =
  ({ reads, clock }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const { groupBy, timeZone } = parseSummaryRequest(request);
    const { type, status = 'SUCCESS', createdAt, ...others } = parseChannelFilter(request.filter);
    const selection = {
      ...others,
      salesChannelId,
      types: type ? [type] : channelTypes,
      status,
      createdAt: resolveSummaryRange(createdAt, clock.now()),
    };
    const sums = await reads.page(readerOf(call), (em) => sumTransactions(em, selection, groupBy, timeZone));
    return toJsonDocument(sums.map((sum) => ({ ...sum, volume: toExactNumber(sum.volume) })));
  };
