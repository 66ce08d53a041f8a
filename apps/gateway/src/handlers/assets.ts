import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { BodyOf, QueryOf } from '../contract/operations.ts';
import { createJsonAnswer, streamJsonArray, createRenderedAnswer } from '../http/answer.ts';
import type { EntityTags } from '../http/entity-tags.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, openList, toListAnswer, requireExpanded, requireOrdered, toVersionedAnswer } from './lists.ts';
import {
  toChannelPage,
  toExpand,
  toFormat,
  LIST_TIMEOUT_MS,
  toListOrder,
  toNotesFilter,
  withoutNulls,
} from './requests.ts';

const toFacility = ({
  id,
  gsrn,
  code,
  name,
  countryCode,
  methodologyCodes,
}: ReplyOf<'inventory.GetProductionFacility'>) => ({
  id,
  gsrn: gsrn ?? null,
  code,
  name,
  countryCode,
  methodologyCodes,
});

/** Value of `beneficiaryHiddenUntil` in a message, which ends the embargo. */
const REVEALED = '';

type AssetHandlers = Pick<
  Handlers,
  | 'summarizeInventory'
  | 'planTransfer'
  | 'summarizeTransactions'
  | 'updateStatement'
  | 'listInventory'
  | 'listTransactions'
  | 'getTransaction'
  | 'getTransactionDetail'
  | 'listProductionFacilities'
  | 'getProductionFacility'
  | 'getSupplier'
>;

type InventoryFilter = NonNullable<QueryOf<'listInventory'>['$filter']>;

function toInventoryFilter($filter: InventoryFilter = {}): SentTo<'inventory.ListInventory'>['filter'] {
  const { issuanceId, vintage, productionFacilityId, methodologyCode } = $filter;
  return withoutNulls({
    issuanceId: issuanceId?.eq,
    vintage: vintage?.eq === undefined ? undefined : Number(vintage.eq),
    productionFacilityId: productionFacilityId?.eq,
    methodologyCode: methodologyCode?.eq,
  });
}

function toTransactionQuery({ $filter = {}, $orderBy }: QueryOf<'listTransactions'>) {
  const { type, status, traderId, createdAt, ...notes } = $filter;
  const head = { type: type?.eq, status: status?.eq, traderId: traderId?.eq, createdAt };
  const filter = withoutNulls({ ...head, ...toNotesFilter(notes) });
  return { filter, descending: $orderBy?.createdAt === 'desc' };
}

/** The volume is exact: the JSON parser has rejected numbers that a double cannot hold exactly. */
function toPlanRequest(body: BodyOf<'planTransfer'>): Omit<SentTo<'inventory.PlanTransfer'>, 'traderId'> {
  if ('assets' in body) return { type: body.type, assets: body.assets };
  return { type: body.type, oldest: { volume: String(body.volume), filter: toInventoryFilter(body.filter) } };
}

/**
 * Assets, transactions, facilities and suppliers of a sales channel.
 * @param tags entity tags of the generation of the API
 */
export const createAssetHandlers = ({ inventory }: Clients, tags: EntityTags): AssetHandlers => ({
  listInventory: async ({ path: { traderId }, query, headers }, context) => {
    const order = toListOrder(query.$orderBy);
    const page = toChannelPage(query, order !== undefined);
    const known = tags.parseIfNoneMatch(headers['If-None-Match']);
    const request = { traderId, filter: toInventoryFilter(query.$filter), known, ...toFormat(context) };
    if (!page) {
      const pieces = inventory.ListInventory(request, context.createStreamOptions(LIST_TIMEOUT_MS));
      const { first, data } = await openList(pieces);
      return toVersionedAnswer(context, tags, 'inventory', first, data);
    }
    const { data, ...about } = await inventory.PageInventory({ ...request, page, ...order }, context.callOptions);
    requireOrdered(order, about);
    return toVersionedAnswer(context, tags, 'inventory', about, data);
  },
  listTransactions: async ({ query }, context) => {
    const { $expand } = query;
    const request = { ...toTransactionQuery(query), ...toFormat(context), ...toExpand($expand) };
    const page = toChannelPage(query);
    const call = context.createStreamOptions(LIST_TIMEOUT_MS);
    if (!page) {
      const { first, data } = await openList(inventory.ListTransactions(request, call));
      requireExpanded($expand, first);
      return toListAnswer('transactions', context, first, data);
    }
    const { first, data } = await openList(inventory.PageTransactions({ ...request, page }, call));
    requireExpanded($expand, first);
    return toListAnswer('transactions', context, first, data, toChannelLink(context, first.next));
  },
  summarizeInventory: async ({ path: { traderId }, query: { $filter } }, { callOptions }) =>
    createRenderedAnswer(
      200,
      (await inventory.SummarizeInventory({ traderId, filter: toInventoryFilter($filter) }, callOptions)).data,
    ),
  planTransfer: async ({ path: { traderId }, body }, { callOptions }) =>
    createRenderedAnswer(200, (await inventory.PlanTransfer({ traderId, ...toPlanRequest(body) }, callOptions)).data),
  summarizeTransactions: async ({ query: { groupBy, timeZone, ...query } }, { callOptions }) => {
    const { filter } = toTransactionQuery(query);
    return createRenderedAnswer(
      200,
      (await inventory.SummarizeTransactions({ groupBy, timeZone, filter }, callOptions)).data,
    );
  },
  updateStatement: async (
    { path: { transactionId }, body: { publication, beneficiaryHiddenUntil } },
    { callOptions },
  ) => {
    const until = beneficiaryHiddenUntil === null ? REVEALED : beneficiaryHiddenUntil;
    const change = withoutNulls({ publication, beneficiaryHiddenUntil: until });
    return createRenderedAnswer(200, (await inventory.UpdateStatement({ transactionId, ...change }, callOptions)).data);
  },
  getTransactionDetail: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await inventory.GetTransactionDetail({ transactionId }, callOptions)).data),
  getTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await inventory.GetTransaction({ transactionId }, callOptions)).data),
  listProductionFacilities: async ({ query }, context) => {
    const page = toChannelPage(query);
    if (!page)
      return streamJsonArray(
        inventory.ListProductionFacilities({}, context.createStreamOptions(LIST_TIMEOUT_MS)),
        toFacility,
      );
    const { facilities, next } = await inventory.PageProductionFacilities({ page }, context.callOptions);
    return createJsonAnswer(200, facilities.map(toFacility), toChannelLink(context, next));
  },
  getProductionFacility: async ({ path: { productionFacilityId } }, { callOptions }) =>
    createJsonAnswer(200, toFacility(await inventory.GetProductionFacility({ productionFacilityId }, callOptions))),
  getSupplier: async ({ path: { supplierId } }, { callOptions }) => {
    const { id, name, countryCode } = await inventory.GetSupplier({ supplierId }, callOptions);
    return createJsonAnswer(200, { id, name, countryCode });
  },
});
