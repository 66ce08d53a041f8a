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

interface Searcher {
  /** Operation whose access rule also decides who may find these records. */
  readonly as: OperationId;
  find(q: string, call: CallOptions): Promise<readonly Hit[]>;
}

const createSearchers = ({ traders, rbac, inventory, holdings, webhooks }: Clients): readonly Searcher[] => [
  {
    as: 'getTransaction',
    async find(transactionId, call) {
      await inventory.GetTransaction({ transactionId }, call);
      return [{ kind: 'TRANSACTION', id: transactionId, name: null }];
    },
  },
  {
    as: 'getHolderTransaction',
    async find(transactionId, call) {
      await holdings.GetHolderTransaction({ transactionId }, call);
      return [{ kind: 'HOLDER_TRANSACTION', id: transactionId, name: null }];
    },
  },
  {
    as: 'getTrader',
    async find(traderId, call) {
      const { id, name } = await traders.GetTrader({ traderId }, call);
      return [{ kind: 'TRADER', id, name }];
    },
  },
  {
    as: 'listTraders',
    async find(namePart, call) {
      const { traders: found } = await traders.PageTraders({ filter: { namePart }, page }, call);
      return found.map(({ id, name }) => ({ kind: 'TRADER', id, name }));
    },
  },
  {
    as: 'listProposals',
    async find(search, call) {
      const { proposals, ...about } = await traders.PageProposals({ search, page }, call);
      requireSearched(search, about);
      return proposals.map(({ id, name }) => ({ kind: 'PROPOSAL', id, name }));
    },
  },
  {
    as: 'listOpenSalesChannels',
    async find(search, call) {
      const { salesChannels, ...about } = await rbac.PageOpenSalesChannels({ search, page }, call);
      requireSearched(search, about);
      return salesChannels.map(({ id, name }) => ({ kind: 'SALES_CHANNEL', id, name }));
    },
  },
  {
    as: 'getProductionFacility',
    async find(productionFacilityId, call) {
      const { id, name } = await inventory.GetProductionFacility({ productionFacilityId }, call);
      return [{ kind: 'PRODUCTION_FACILITY', id, name }];
    },
  },
  {
    as: 'listProductionFacilities',
    async find(namePart, call) {
      const { facilities } = await inventory.PageProductionFacilities({ namePart, page }, call);
      return facilities.map(({ id, name }) => ({ kind: 'PRODUCTION_FACILITY', id, name }));
    },
  },
  {
    as: 'getSupplier',
    async find(supplierId, call) {
      const { id, name } = await inventory.GetSupplier({ supplierId }, call);
      return [{ kind: 'SUPPLIER', id, name }];
    },
  },
  {
    as: 'getWebhookEndpoint',
    async find(endpointId, call) {
      const { id, description, url } = await webhooks.GetEndpoint({ endpointId }, call);
      return [{ kind: 'WEBHOOK_ENDPOINT', id, name: description ?? url }];
    },
  },
];

function mayFind(user: UserPrincipal, as: OperationId): boolean {
  try {
    requireAccess(accessRules[as], user);
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
  const searchers = createSearchers(clients);
  return {
    search: async ({ query: { q } }, { user, callOptions }) => {
      const permitted = searchers.filter(({ as }) => mayFind(user, as));
      const found = await Promise.all(
        permitted.map(({ find }) =>
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
