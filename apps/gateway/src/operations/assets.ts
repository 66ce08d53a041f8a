import type { ProductionFacility__Output } from '@saleschannel/contracts/gen/inventory/v1/ProductionFacility';
import type { Clients } from '../clients.ts';
import { json, jsonArray, rendered } from '../http/answer.ts';
import type { Handler } from '../http/pipeline.ts';
import { LIST_TIMEOUT_MS } from './calls.ts';

async function* bytesOf(chunks: AsyncIterable<{ data: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { data } of chunks) if (data.length > 0) yield data;
}

const facilityOf = ({ id, gsrn, code, name, countryCode, methodologyCodes }: ProductionFacility__Output) => ({
  id,
  gsrn: gsrn ?? null,
  code,
  name,
  countryCode,
  methodologyCodes,
});

/** What inventory shows a sales channel: assets, transactions, facilities and suppliers. */
export const assets = ({ inventory }: Clients) =>
  ({
    listInventory: ({ call, signal, path }) =>
      rendered(
        200,
        bytesOf(
          inventory.ListInventory(
            { traderId: path['traderId'] ?? '' },
            { ...call, signal, timeoutMs: LIST_TIMEOUT_MS },
          ),
        ),
      ),
    listTransactions: ({ call, signal }) =>
      rendered(200, bytesOf(inventory.ListTransactions({}, { ...call, signal, timeoutMs: LIST_TIMEOUT_MS }))),
    getTransaction: async ({ call, path }) =>
      rendered(200, (await inventory.GetTransaction({ transactionId: path['transactionId'] ?? '' }, call)).data),
    listProductionFacilities: ({ call, signal }) =>
      jsonArray(inventory.ListProductionFacilities({}, { ...call, signal, timeoutMs: LIST_TIMEOUT_MS }), facilityOf),
    getProductionFacility: async ({ call, path }) =>
      json(
        200,
        facilityOf(
          await inventory.GetProductionFacility({ productionFacilityId: path['productionFacilityId'] ?? '' }, call),
        ),
      ),
    getSupplier: async ({ call, path }) => {
      const { id, name, countryCode } = await inventory.GetSupplier({ supplierId: path['supplierId'] ?? '' }, call);
      return json(200, { id, name, countryCode });
    },
  }) satisfies Record<string, Handler>;
