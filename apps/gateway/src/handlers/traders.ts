import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { json, jsonArray } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { channelLink, channelPageOf, LIST_TIMEOUT_MS } from './lists.ts';
import { withoutNulls } from './registry.ts';

const traderOf = ({ id, businessId, name, address }: ReplyOf<'traders.GetTrader'>) => {
  const { zipCode, city, countryName, street, poBox } = address ?? {};
  // JSON leaves out the members that are undefined.
  return { id, businessId, name, address: { zipCode, city, countryName, street, poBox } };
};

const proposalOf = ({ id, name, businessId, onboardedTraderId, status }: ReplyOf<'traders.AcceptProposal'>) => ({
  id,
  name,
  businessId,
  onboardedTraderId: onboardedTraderId ?? null,
  status,
});

type TraderHandlers = Pick<
  Handlers,
  'listTraders' | 'getTrader' | 'createTrader' | 'updateTrader' | 'listProposals' | 'acceptProposal' | 'rejectProposal'
>;

/** Traders of the sales channel, and account holders that want to become one. */
export const traders = ({ traders: service }: Clients): TraderHandlers => ({
  listTraders: async ({ query }, context) => {
    const { name, businessId } = query.$filter ?? {};
    const filter = withoutNulls({ namePrefix: name?.startsWith, businessId: businessId?.eq });
    const page = channelPageOf(query);
    if (!page) return jsonArray(service.ListTraders({ filter }, context.streamOf(LIST_TIMEOUT_MS)), traderOf);
    const { traders: found, next } = await service.PageTraders({ filter, page }, context.call);
    return json(200, found.map(traderOf), channelLink(context, next));
  },
  getTrader: async ({ path: { traderId } }, { call }) =>
    json(200, traderOf(await service.GetTrader({ traderId }, call))),
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
    json(200, traderOf(await service.UpdateTrader({ traderId, mergePatchJson: JSON.stringify(body) }, call))),
  listProposals: async ({ query }, context) => {
    const wanted = withoutNulls({ status: query.$filter?.status?.eq });
    const page = channelPageOf(query);
    if (!page) return jsonArray(service.ListProposals(wanted, context.streamOf(LIST_TIMEOUT_MS)), proposalOf);
    const { proposals, next } = await service.PageProposals({ ...wanted, page }, context.call);
    return json(200, proposals.map(proposalOf), channelLink(context, next));
  },
  acceptProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(201, proposalOf(await service.AcceptProposal({ proposalId }, call))),
  rejectProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(201, proposalOf(await service.RejectProposal({ proposalId }, call))),
});
