import { pick } from '@saleschannel/edge';
import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, toListPage, requireOrdered, streamList, pickColumns, type CsvFile } from './lists.ts';
import { toChannelPage, LIST_TIMEOUT_MS, toListOrder, withoutNulls } from './requests.ts';

const toTrader = ({ id, businessId, name, address }: ReplyOf<'traders.GetTrader'>) => {
  const { zipCode, city, countryName, street, poBox } = address ?? {};
  // JSON omits undefined members.
  return { id, businessId, name, address: { zipCode, city, countryName, street, poBox } };
};

const traderFile: CsvFile<ReturnType<typeof toTrader>> = {
  name: 'traders',
  columns: pickColumns(
    'id',
    'businessId',
    'name',
    'address.zipCode',
    'address.city',
    'address.countryName',
    'address.street',
    'address.poBox',
  ),
};

const toProposal = (proposal: ReplyOf<'traders.AcceptProposal'>) => ({
  ...pick(proposal, 'id', 'name', 'businessId'),
  onboardedTraderId: proposal.onboardedTraderId ?? null,
  status: proposal.status,
});

const proposalFile: CsvFile<ReturnType<typeof toProposal>> = {
  name: 'trader-onboarding-proposals',
  columns: pickColumns('id', 'name', 'businessId', 'onboardedTraderId', 'status'),
};

/** Traders of the sales channel, and proposals of account holders to become one. */
export const createTraderHandlers = ({ traders: service }: Clients) =>
  ({
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
    getTrader: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toTrader(await service.GetTrader(path, callOptions))),
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
  }) satisfies Partial<Handlers>;
