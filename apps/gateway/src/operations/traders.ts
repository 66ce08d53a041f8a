import type { Proposal__Output } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import type { Trader__Output } from '@saleschannel/contracts/gen/traders/v1/Trader';
import type { Clients } from '../clients.ts';
import { json, jsonArray } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handler } from '../http/pipeline.ts';
import { LIST_TIMEOUT_MS, withHeaders } from './calls.ts';

interface TraderCreate {
  businessId: string;
  name: string;
  address: { zipCode?: string; city?: string; countryName?: string; street?: string; poBox?: string };
}

const traderOf = ({ id, businessId, name, address }: Trader__Output) => {
  const { zipCode, city, countryName, street, poBox } = address ?? {};
  // JSON leaves out the members that are undefined.
  return { id, businessId, name, address: { zipCode, city, countryName, street, poBox } };
};

const proposalOf = ({ id, name, businessId, onboardedTraderId, status }: Proposal__Output) => ({
  id,
  name,
  businessId,
  onboardedTraderId: onboardedTraderId ?? null,
  status,
});

const proposalRequest = ({ path }: Exchange) => ({ proposalId: path['traderOnboardingProposalId'] ?? '' });

/** Traders of the sales channel, and account holders that want to become one. */
export const traders = ({ traders: service }: Clients) =>
  ({
    listTraders: ({ call, signal }) =>
      jsonArray(service.ListTraders({}, { ...call, signal, timeoutMs: LIST_TIMEOUT_MS }), traderOf),
    getTrader: async ({ call, path }) =>
      json(200, traderOf(await service.GetTrader({ traderId: path['traderId'] ?? '' }, call))),
    createTrader: async ({ call, body, request }) => {
      const { businessId, name, address } = body as TraderCreate;
      const idempotencyKey = request.headers['idempotency-key'] as string;
      const { trader, replayed } = await service.CreateTrader({ idempotencyKey, businessId, name, address }, call);
      if (!trader) throw new Error('traders answered without the trader');
      const headers = withHeaders(
        { Location: `/saleschannel-services/v1/traders/${encodeURIComponent(trader.id)}` },
        replayed && { 'Idempotency-Replayed': 'true' },
      );
      return json(201, { id: trader.id, businessId: trader.businessId, name: trader.name }, headers);
    },
    updateTrader: async ({ call, path, body }) =>
      json(
        200,
        traderOf(
          await service.UpdateTrader({ traderId: path['traderId'] ?? '', mergePatchJson: JSON.stringify(body) }, call),
        ),
      ),
    listProposals: ({ call, signal }) =>
      jsonArray(service.ListProposals({}, { ...call, signal, timeoutMs: LIST_TIMEOUT_MS }), proposalOf),
    acceptProposal: async (exchange) =>
      json(201, proposalOf(await service.AcceptProposal(proposalRequest(exchange), exchange.call))),
    rejectProposal: async (exchange) =>
      json(201, proposalOf(await service.RejectProposal(proposalRequest(exchange), exchange.call))),
  }) satisfies Record<string, Handler>;
