import { pick } from '@saleschannel/edge';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { BodyOf, QueryOf } from '../contract/operations.ts';
import { createJsonAnswer, streamJsonArray, createReplyAnswer } from '../http/answer.ts';
import type { EntityTags } from '../http/entity-tags.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, openList, toExpandedAnswer, requireOrdered, toVersionedAnswer } from './lists.ts';
import {
  toChannelPage,
  toExpand,
  toFormat,
  LIST_TIMEOUT_MS,
  toListOrder,
  toNotesFilter,
  withoutNulls,
} from './requests.ts';

const toFacility = (facility: ReplyOf<'inventory.GetProductionFacility'>) => ({
  id: facility.id,
  gsrn: facility.gsrn ?? null,
  ...pick(facility, 'code', 'name', 'countryCode', 'methodologyCodes'),
});

/** Value of `beneficiaryHiddenUntil` in a message, which ends the embargo. */
const REVEALED = '';

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
export const createAssetHandlers = ({ inventory }: Clients, tags: EntityTags) =>
  ({
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
      const messages = page
        ? inventory.PageTransactions({ ...request, page }, call)
        : inventory.ListTransactions(request, call);
      return toExpandedAnswer('transactions', context, $expand, messages);
    },
    summarizeInventory: ({ path: { traderId }, query: { $filter } }, { callOptions }) =>
      createReplyAnswer(inventory.SummarizeInventory({ traderId, filter: toInventoryFilter($filter) }, callOptions)),
    planTransfer: ({ path: { traderId }, body }, { callOptions }) =>
      createReplyAnswer(inventory.PlanTransfer({ traderId, ...toPlanRequest(body) }, callOptions)),
    summarizeTransactions: async ({ query: { groupBy, timeZone, ...query } }, { callOptions }) => {
      const { filter } = toTransactionQuery(query);
      return createReplyAnswer(inventory.SummarizeTransactions({ groupBy, timeZone, filter }, callOptions));
    },
    updateStatement: async (
      { path: { transactionId }, body: { publication, beneficiaryHiddenUntil } },
      { callOptions },
    ) => {
      const until = beneficiaryHiddenUntil === null ? REVEALED : beneficiaryHiddenUntil;
      const change = withoutNulls({ publication, beneficiaryHiddenUntil: until });
      return createReplyAnswer(inventory.UpdateStatement({ transactionId, ...change }, callOptions));
    },
    getTransactionDetail: ({ path }, { callOptions }) =>
      createReplyAnswer(inventory.GetTransactionDetail(path, callOptions)),
    getTransaction: ({ path }, { callOptions }) => createReplyAnswer(inventory.GetTransaction(path, callOptions)),
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
    getProductionFacility: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toFacility(await inventory.GetProductionFacility(path, callOptions))),
    getSupplier: async ({ path }, { callOptions }) => {
      const { id, name, countryCode } = await inventory.GetSupplier(path, callOptions);
      return createJsonAnswer(200, { id, name, countryCode });
    },
  }) satisfies Partial<Handlers>;
