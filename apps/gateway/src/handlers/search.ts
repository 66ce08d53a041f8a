import { accessRules, requireAccess, type OperationId, type UserPrincipal } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import type { CallOptions } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { Success } from '../contract/operations.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { requireSearched } from './lists.ts';

type Hit = Extract<Success<'search'>['content'], object>['results'][number];

/** Results per kind of record. */
const RESULTS_PER_KIND = 10;
const page = { limit: RESULTS_PER_KIND, offset: 0 };

/** Finds records of one kind. @throws DomainError 'not-found' or 'invalid-request' for a text that names none */
type Find = (q: string, call: CallOptions) => Promise<readonly Hit[]>;

const toHits = (kind: Hit['kind'], records: readonly Pick<Hit, 'id' | 'name'>[]): Hit[] =>
  records.map(({ id, name }) => ({ kind, id, name }));

/** Searches by operation. The access rule of the operation also applies to its search. */
const createSearches = ({
  traders,
  rbac,
  inventory,
  holdings,
  webhooks,
}: Clients): Partial<Record<OperationId, Find>> => ({
  async getTransaction(transactionId, call) {
    await inventory.GetTransaction({ transactionId }, call);
    return toHits('TRANSACTION', [{ id: transactionId, name: null }]);
  },
  async getHolderTransaction(transactionId, call) {
    await holdings.GetHolderTransaction({ transactionId }, call);
    return toHits('HOLDER_TRANSACTION', [{ id: transactionId, name: null }]);
  },
  getTrader: async (traderId, call) => toHits('TRADER', [await traders.GetTrader({ traderId }, call)]),
  listTraders: async (namePart, call) =>
    toHits('TRADER', (await traders.PageTraders({ filter: { namePart }, page }, call)).traders),
  async listProposals(search, call) {
    const { proposals, ...about } = await traders.PageProposals({ search, page }, call);
    requireSearched(search, about);
    return toHits('PROPOSAL', proposals);
  },
  async listOpenSalesChannels(search, call) {
    const { salesChannels, ...about } = await rbac.PageOpenSalesChannels({ search, page }, call);
    requireSearched(search, about);
    return toHits('SALES_CHANNEL', salesChannels);
  },
  getProductionFacility: async (productionFacilityId, call) =>
    toHits('PRODUCTION_FACILITY', [await inventory.GetProductionFacility({ productionFacilityId }, call)]),
  listProductionFacilities: async (namePart, call) =>
    toHits('PRODUCTION_FACILITY', (await inventory.PageProductionFacilities({ namePart, page }, call)).facilities),
  getSupplier: async (supplierId, call) => toHits('SUPPLIER', [await inventory.GetSupplier({ supplierId }, call)]),
  async getWebhookEndpoint(endpointId, call) {
    const { id, description, url } = await webhooks.GetEndpoint({ endpointId }, call);
    return toHits('WEBHOOK_ENDPOINT', [{ id, name: description ?? url }]);
  },
});

function mayFind(user: UserPrincipal, operation: OperationId): boolean {
  try {
    requireAccess(accessRules[operation], user);
    return true;
  } catch {
    return false;
  }
}

/** Whether an error means that no record has, or can have, this id or name. */
const isNoResult = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === 'not-found' || error.code === 'invalid-request');

/** Searches the records that the caller may read, by id or part of a name. */
export const createSearchHandlers = (clients: Clients) => {
  const searches = Object.entries(createSearches(clients)) as [OperationId, Find][];
  return {
    search: async ({ query: { q } }, { user, callOptions }) => {
      const permitted = searches.filter(([operation]) => mayFind(user, operation));
      const found = await Promise.all(
        permitted.map(([, find]) =>
          find(q, callOptions).catch((error: unknown) => {
            if (isNoResult(error)) return [];
            throw error;
          }),
        ),
      );
      const byRecord = new Map(found.flat().map((hit) => [`${hit.kind} ${hit.id}`, hit]));
      return createJsonAnswer(200, { results: [...byRecord.values()] });
    },
  } satisfies Partial<Handlers>;
};
