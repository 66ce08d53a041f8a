import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { json, jsonArray } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { LIST_TIMEOUT_MS } from './lists.ts';

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
  listTraders: (_input, context) => jsonArray(service.ListTraders({}, context.streamOf(LIST_TIMEOUT_MS)), traderOf),
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
  listProposals: (_input, context) =>
    jsonArray(service.ListProposals({}, context.streamOf(LIST_TIMEOUT_MS)), proposalOf),
  acceptProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(201, proposalOf(await service.AcceptProposal({ proposalId }, call))),
  rejectProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(201, proposalOf(await service.RejectProposal({ proposalId }, call))),
});
