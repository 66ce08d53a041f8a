import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { notFound } from '@saleschannel/errors';
import { implement, salesChannelOf, type Call, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { checkSelections } from '../operations/check-selections.ts';
import { findFacility, findSupplier, streamFacilities } from '../store/facilities.ts';
import { streamListable } from '../store/inventory.ts';
import { findChannelTransaction, streamTransactions } from '../store/transaction-views.ts';

async function* chunks(buffers: AsyncIterable<Buffer>): AsyncGenerator<{ data: Buffer }> {
  for await (const data of buffers) yield { data };
}

/** @throws DomainError 'not-found' when there is nothing: the same for what is another channel's */
function found<T>(value: T | undefined): T {
  if (value === undefined) throw notFound();
  return value;
}

const gateway = ['gateway'];

/** What a sales channel reads, limited to its own channel. */
export const inventoryRpcs = ({ database, isTrader }: Context): Registration =>
  implement(services.inventory, {
    ListInventory: {
      callers: gateway,
      access: access.listInventory,
      async *handler({ traderId }, call: Call) {
        const salesChannelId = salesChannelOf(call);
        if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
        yield* chunks(streamListable(database, salesChannelId, traderId));
      },
    },
    ListTransactions: {
      callers: gateway,
      access: access.listTransactions,
      handler: (_request, call) => chunks(streamTransactions(database, salesChannelOf(call))),
    },
    GetTransaction: {
      callers: gateway,
      access: access.getTransaction,
      handler: async ({ transactionId }, call) => ({
        data: found(await findChannelTransaction(database.em(), salesChannelOf(call), transactionId)),
      }),
    },
    GetProductionFacility: {
      callers: gateway,
      access: access.getProductionFacility,
      handler: async ({ productionFacilityId }) => found(await findFacility(database.em(), productionFacilityId)),
    },
    ListProductionFacilities: {
      callers: gateway,
      access: access.listProductionFacilities,
      handler: () => streamFacilities(() => database.em()),
    },
    GetSupplier: {
      callers: gateway,
      access: access.getSupplier,
      handler: async ({ supplierId }) => found(await findSupplier(database.em(), supplierId)),
    },
  });

/** What the task service asks before it accepts a transfer. */
export const selectionCheckRpcs = ({ database }: Context): Registration =>
  implement(services.selectionChecks, {
    CheckSelections: {
      callers: ['tasks'],
      access: serviceOnly,
      handler: async ({ checks }) => ({
        verdicts: (await checkSelections(database, checks)).map((faults) => ({ faults })),
      }),
    },
  });

export { found };
