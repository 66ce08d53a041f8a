import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { json, jsonArray, rendered } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { bytesOf, LIST_TIMEOUT_MS } from './lists.ts';

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
  | 'listProductionFacilities'
  | 'getProductionFacility'
  | 'getSupplier'
>;

/** What inventory shows a sales channel: assets, transactions, facilities and suppliers. */
export const assets = ({ inventory }: Clients): AssetHandlers => ({
  listInventory: ({ path: { traderId } }, context) =>
    rendered(200, bytesOf(inventory.ListInventory({ traderId }, context.streamOf(LIST_TIMEOUT_MS)))),
  listTransactions: (_input, context) =>
    rendered(200, bytesOf(inventory.ListTransactions({}, context.streamOf(LIST_TIMEOUT_MS)))),
  getTransaction: async ({ path: { transactionId } }, { call }) =>
    rendered(200, (await inventory.GetTransaction({ transactionId }, call)).data),
  listProductionFacilities: (_input, context) =>
    jsonArray(inventory.ListProductionFacilities({}, context.streamOf(LIST_TIMEOUT_MS)), facilityOf),
  getProductionFacility: async ({ path: { productionFacilityId } }, { call }) =>
    json(200, facilityOf(await inventory.GetProductionFacility({ productionFacilityId }, call))),
  getSupplier: async ({ path: { supplierId } }, { call }) => {
    const { id, name, countryCode } = await inventory.GetSupplier({ supplierId }, call);
    return json(200, { id, name, countryCode });
  },
});
