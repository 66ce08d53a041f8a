import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import { json, jsonArray, rendered } from '../http/answer.ts';
import type { EntityTags } from '../http/entity-tags.ts';
import type { Handlers } from '../http/pipeline.ts';
import { channelLink, channelPageOf, formatOf, LIST_TIMEOUT_MS, opened, renderedAs, versioned } from './lists.ts';
import { withoutNulls } from './registry.ts';

const facilityOf = ({
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

type AssetHandlers = Pick<
  Handlers,
  | 'listInventory'
  | 'listTransactions'
  | 'getTransaction'
  | 'getTransactionDetail'
  | 'listProductionFacilities'
  | 'getProductionFacility'
  | 'getSupplier'
>;

function inventoryFilterOf({ $filter = {} }: QueryOf<'listInventory'>): SentTo<'inventory.ListInventory'>['filter'] {
  const { issuanceId, vintage, productionFacilityId, methodologyCode } = $filter;
  return withoutNulls({
    issuanceId: issuanceId?.eq,
    vintage: vintage?.eq === undefined ? undefined : Number(vintage.eq),
    productionFacilityId: productionFacilityId?.eq,
    methodologyCode: methodologyCode?.eq,
  });
}

function transactionsOf({ $filter = {}, $orderBy }: QueryOf<'listTransactions'>) {
  const { type, status, traderId, createdAt } = $filter;
  const filter = withoutNulls({ type: type?.eq, status: status?.eq, traderId: traderId?.eq, createdAt });
  return { filter, descending: $orderBy?.createdAt === 'desc' };
}

/**
 * What inventory shows a sales channel: assets, transactions, facilities and suppliers.
 * @param tags of the generation of the API
 */
export const assets = ({ inventory }: Clients, tags: EntityTags): AssetHandlers => ({
  listInventory: async ({ path: { traderId }, query, headers }, context) => {
    const page = channelPageOf(query);
    const known = tags.knownOf(headers['If-None-Match']);
    const wanted = { traderId, filter: inventoryFilterOf(query), known, ...formatOf(context) };
    if (!page) {
      const pieces = inventory.ListInventory(wanted, context.streamOf(LIST_TIMEOUT_MS));
      const { first, data } = await opened(pieces);
      return versioned(context, tags, 'inventory', first, data);
    }
    const { data, ...about } = await inventory.PageInventory({ ...wanted, page }, context.call);
    return versioned(context, tags, 'inventory', about, data);
  },
  listTransactions: async ({ query }, context) => {
    const [wanted, page] = [{ ...transactionsOf(query), ...formatOf(context) }, channelPageOf(query)];
    const call = context.streamOf(LIST_TIMEOUT_MS);
    if (!page) {
      const { first, data } = await opened(inventory.ListTransactions(wanted, call));
      return renderedAs('transactions', context, first, data);
    }
    const { first, data } = await opened(inventory.PageTransactions({ ...wanted, page }, call));
    return renderedAs('transactions', context, first, data, channelLink(context, first.next));
  },
  getTransactionDetail: async ({ path: { transactionId } }, { call }) =>
    rendered(200, (await inventory.GetTransactionDetail({ transactionId }, call)).data),
  getTransaction: async ({ path: { transactionId } }, { call }) =>
    rendered(200, (await inventory.GetTransaction({ transactionId }, call)).data),
  listProductionFacilities: async ({ query }, context) => {
    const page = channelPageOf(query);
    if (!page) return jsonArray(inventory.ListProductionFacilities({}, context.streamOf(LIST_TIMEOUT_MS)), facilityOf);
    const { facilities, next } = await inventory.PageProductionFacilities({ page }, context.call);
    return json(200, facilities.map(facilityOf), channelLink(context, next));
  },
  getProductionFacility: async ({ path: { productionFacilityId } }, { call }) =>
    json(200, facilityOf(await inventory.GetProductionFacility({ productionFacilityId }, call))),
  getSupplier: async ({ path: { supplierId } }, { call }) => {
    const { id, name, countryCode } = await inventory.GetSupplier({ supplierId }, call);
    return json(200, { id, name, countryCode });
  },
});
