import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, toListPage, requireOrdered, streamList, type CsvFile } from './lists.ts';
import { toChannelPage, LIST_TIMEOUT_MS, toListOrder, withoutNulls } from './requests.ts';

const toTrader = ({ id, businessId, name, address }: ReplyOf<'traders.GetTrader'>) => {
  const { zipCode, city, countryName, street, poBox } = address ?? {};
  // JSON omits undefined members.
  return { id, businessId, name, address: { zipCode, city, countryName, street, poBox } };
};

const traderFile: CsvFile<ReturnType<typeof toTrader>> = {
  name: 'traders',
  columns: {
    id: ({ id }) => id,
    businessId: ({ businessId }) => businessId,
    name: ({ name }) => name,
    'address.zipCode': ({ address }) => address.zipCode,
    'address.city': ({ address }) => address.city,
    'address.countryName': ({ address }) => address.countryName,
    'address.street': ({ address }) => address.street,
    'address.poBox': ({ address }) => address.poBox,
  },
};

const toProposal = ({ id, name, businessId, onboardedTraderId, status }: ReplyOf<'traders.AcceptProposal'>) => ({
  id,
  name,
  businessId,
  onboardedTraderId: onboardedTraderId ?? null,
  status,
});

const proposalFile: CsvFile<ReturnType<typeof toProposal>> = {
  name: 'trader-onboarding-proposals',
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    businessId: ({ businessId }) => businessId,
    onboardedTraderId: ({ onboardedTraderId }) => onboardedTraderId,
    status: ({ status }) => status,
  },
};

type TraderHandlers = Pick<
  Handlers,
  'listTraders' | 'getTrader' | 'createTrader' | 'updateTrader' | 'listProposals' | 'acceptProposal' | 'rejectProposal'
>;

/** Traders of the sales channel, and proposals of account holders to become one. */
export const createTraderHandlers = ({ traders: service }: Clients): TraderHandlers => ({
  listTraders: async ({ query }, context) => {
    const { name, businessId } = query.$filter ?? {};
    const filter = withoutNulls({
      namePrefix: name?.startsWith,
      namePart: name?.contains,
      businessId: businessId?.eq,
    });
    const order = toListOrder(query.$orderBy);
    const page = toChannelPage(query, order !== undefined);
    if (!page) {
      const all = service.ListTraders({ filter }, context.streamCall(LIST_TIMEOUT_MS));
      return streamList(context, all, toTrader, traderFile);
    }
    const { traders: found, next, ...about } = await service.PageTraders({ filter, page, ...order }, context.call);
    requireOrdered(order, about);
    return toListPage(context, found.map(toTrader), traderFile, toChannelLink(context, next));
  },
  getTrader: async ({ path: { traderId } }, { call }) =>
    json(200, toTrader(await service.GetTrader({ traderId }, call))),
  createTrader: async ({ headers, body }, { call }) => {
    const request = { idempotencyKey: headers['Idempotency-Key'], ...body };
    const { trader, replayed } = await service.CreateTrader(request, call);
    if (!trader) throw new Error('traders answered without the trader');
    const { id, businessId, name } = trader;
    return json(
      201,
      { id, businessId, name },
      {
        Location: `/saleschannel-services/v1/traders/${encodeURIComponent(id)}`,
        ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
      },
    );
  },
  updateTrader: async ({ path: { traderId }, body }, { call }) =>
    json(200, toTrader(await service.UpdateTrader({ traderId, mergePatchJson: JSON.stringify(body) }, call))),
  listProposals: async ({ query }, context) => {
    const proposalFilter = withoutNulls({ status: query.$filter?.status?.eq });
    const page = toChannelPage(query);
    if (!page) {
      const all = service.ListProposals(proposalFilter, context.streamCall(LIST_TIMEOUT_MS));
      return streamList(context, all, toProposal, proposalFile);
    }
    const { proposals, next } = await service.PageProposals({ ...proposalFilter, page }, context.call);
    return toListPage(context, proposals.map(toProposal), proposalFile, toChannelLink(context, next));
  },
  acceptProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(201, toProposal(await service.AcceptProposal({ proposalId }, call))),
  rejectProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(201, toProposal(await service.RejectProposal({ proposalId }, call))),
});
