import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
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
      const all = service.ListTraders({ filter }, context.createStreamOptions(LIST_TIMEOUT_MS));
      return streamList(context, all, toTrader, traderFile);
    }
    const {
      traders: found,
      next,
      ...about
    } = await service.PageTraders({ filter, page, ...order }, context.callOptions);
    requireOrdered(order, about);
    return toListPage(context, found.map(toTrader), traderFile, toChannelLink(context, next));
  },
  getTrader: async ({ path: { traderId } }, { callOptions }) =>
    createJsonAnswer(200, toTrader(await service.GetTrader({ traderId }, callOptions))),
  createTrader: async ({ headers, body }, { callOptions }) => {
    const request = { idempotencyKey: headers['Idempotency-Key'], ...body };
    const { trader, replayed } = await service.CreateTrader(request, callOptions);
    if (!trader) throw new Error('traders answered without the trader');
    const { id, businessId, name } = trader;
    return createJsonAnswer(
      201,
      { id, businessId, name },
      {
        Location: `/saleschannel-services/v1/traders/${encodeURIComponent(id)}`,
        ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
      },
    );
  },
  updateTrader: async ({ path: { traderId }, body }, { callOptions }) =>
    createJsonAnswer(
      200,
      toTrader(await service.UpdateTrader({ traderId, mergePatchJson: JSON.stringify(body) }, callOptions)),
    ),
  listProposals: async ({ query }, context) => {
    const proposalFilter = withoutNulls({ status: query.$filter?.status?.eq });
    const page = toChannelPage(query);
    if (!page) {
      const all = service.ListProposals(proposalFilter, context.createStreamOptions(LIST_TIMEOUT_MS));
      return streamList(context, all, toProposal, proposalFile);
    }
    const { proposals, next } = await service.PageProposals({ ...proposalFilter, page }, context.callOptions);
    return toListPage(context, proposals.map(toProposal), proposalFile, toChannelLink(context, next));
  },
  acceptProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { callOptions }) =>
    createJsonAnswer(201, toProposal(await service.AcceptProposal({ proposalId }, callOptions))),
  rejectProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { callOptions }) =>
    createJsonAnswer(201, toProposal(await service.RejectProposal({ proposalId }, callOptions))),
});
