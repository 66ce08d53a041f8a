import type { KeyHolder, Role } from '@saleschannel/auth';
import { notFound } from '@saleschannel/errors';
import type { ReplyOf, SentTo, ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import {
  asRegistry,
  asUser,
  removeMarkers,
  callAs,
  collect,
  neighbour,
  startNeighbours,
  startTestService,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';

/** A channel unknown to rbac. */
export const UNKNOWN_CHANNEL = 'c-unknown';
export const SUSPENDED_CHANNEL = 'c-suspended';

const ALL_ROLES: Role[] = [
  'TRADER_ADMINISTRATOR',
  'TRADERONBOARDERPROPOSAL_VIEWER',
  'TRADERONBOARDERPROPOSAL_ACCEPTER',
];

export const entity = {
  businessId: 'NO-927364518',
  name: 'Fjordkarbon AS',
  address: { zipCode: '0484', city: 'Oslo', countryName: 'Norway', street: 'Sandakerveien 114', poBox: 'PO Box 221' },
};

type Trader = ReplyOf<'traders.GetTrader'>;
type Proposal = ReplyOf<'traders.AcceptProposal'>;
type TraderFields = Partial<SentTo<'traders.CreateTrader'>>;
type ProposalFields = Partial<SentTo<'traderDirectory.SubmitProposal'>>;

export interface Traders {
  readonly service: TestService;
  create(salesChannelId: string, fields?: TraderFields): Promise<{ trader: Trader; replayed: boolean }>;
  update(salesChannelId: string, traderId: string, patch: unknown): Promise<Trader>;
  get(salesChannelId: string, traderId: string): Promise<Trader>;
  list(salesChannelId: string, filter?: SentTo<'traders.ListTraders'>['filter']): Promise<Trader[]>;
  submit(fields: ProposalFields): Promise<Proposal>;
  accept(salesChannelId: string, proposalId: string): Promise<Proposal>;
  reject(salesChannelId: string, proposalId: string): Promise<Proposal>;
  proposals(salesChannelId: string, status?: string): Promise<Proposal[]>;
  pageOfTraders(
    salesChannelId: string,
    request: SentTo<'traders.PageTraders'>,
  ): Promise<ReplyOf<'traders.PageTraders'>>;
  pageOfProposals(
    salesChannelId: string,
    request: SentTo<'traders.PageProposals'>,
  ): Promise<ReplyOf<'traders.PageProposals'>>;
  submitted(
    request: SentTo<'traderDirectory.PageSubmittedProposals'>,
  ): Promise<ReplyOf<'traderDirectory.PageSubmittedProposals'>>;
  findSubmitted(proposalId: string): Promise<Proposal>;
  /** Submits a pending proposal of a new account holder, unless the fields name one. */
  proposal(salesChannelId: string, fields?: ProposalFields): Promise<Proposal>;
  /** Submits and accepts a proposal of a new account holder. */
  onboard(salesChannelId: string): Promise<{ traderId: string; accountHolderId: string }>;
  directory(caller: KeyHolder): Promise<ServiceClient<'traderDirectory'>>;
  stop(): Promise<void>;
}

const startRbac = () =>
  startNeighbours(
    neighbour('bindingDirectory', ['traders'], {
      async GetSalesChannel({ salesChannelId }) {
        if (salesChannelId === UNKNOWN_CHANNEL) throw notFound();
        const status = salesChannelId === SUSPENDED_CHANNEL ? 'SUSPENDED' : 'ACTIVE';
        return { id: salesChannelId, name: 'A channel', status };
      },
    }),
  );

/** @param further variables of the service */
export async function startTraders(further: Record<string, string> = {}): Promise<Traders> {
  const rbac = await startRbac();
  const running = await startTestService(service, { variables: { RBAC_ADDRESS: rbac.address, ...further } });
  const gateway = await callAs('gateway', 'traders', running.address);
  const registry = await callAs('registry-import', 'traderDirectory', running.address);
  const as = (salesChannelId: string): Promise<{ principalToken: string }> => asUser(salesChannelId, ALL_ROLES);
  const traders: Traders = {
    service: running,
    async create(channel, fields) {
      const created = await gateway.CreateTrader({ idempotencyKey: newId(), ...entity, ...fields }, await as(channel));
      const { trader, replayed } = removeMarkers(created);
      if (!trader) throw new Error('The response has no trader.');
      return { trader, replayed };
    },
    async update(channel, traderId, patch) {
      const mergePatchJson = typeof patch === 'string' ? patch : JSON.stringify(patch);
      return removeMarkers(await gateway.UpdateTrader({ traderId, mergePatchJson }, await as(channel)));
    },
    get: async (channel, traderId) => removeMarkers(await gateway.GetTrader({ traderId }, await as(channel))),
    list: async (channel, filter = null) => collect(gateway.ListTraders({ filter }, await as(channel))),
    submit: async (fields) => removeMarkers(await registry.SubmitProposal(fields, await asRegistry())),
    accept: async (channel, proposalId) =>
      removeMarkers(await gateway.AcceptProposal({ proposalId }, await as(channel))),
    reject: async (channel, proposalId) =>
      removeMarkers(await gateway.RejectProposal({ proposalId }, await as(channel))),
    proposals: async (channel, status) =>
      collect(gateway.ListProposals(status === undefined ? {} : { status }, await as(channel))),
    pageOfTraders: async (channel, request) => removeMarkers(await gateway.PageTraders(request, await as(channel))),
    pageOfProposals: async (channel, request) => removeMarkers(await gateway.PageProposals(request, await as(channel))),
    submitted: async (request) => removeMarkers(await registry.PageSubmittedProposals(request, await asRegistry())),
    findSubmitted: async (proposalId) =>
      removeMarkers(await registry.FindSubmittedProposal({ proposalId }, await asRegistry())),
    proposal: (salesChannelId, fields) =>
      traders.submit({ accountHolderId: newId(), salesChannelId, ...entity, ...fields }),
    async onboard(salesChannelId) {
      const { id, accountHolderId } = await traders.proposal(salesChannelId);
      return { traderId: traderIdOf(await traders.accept(salesChannelId, id)), accountHolderId };
    },
    directory: (caller) => callAs(caller, 'traderDirectory', running.address),
    async stop() {
      gateway.close();
      registry.close();
      await running.stop();
      await rbac.stop();
    },
  };
  return traders;
}

/** Returns the trader id of an accepted proposal. */
export function traderIdOf({ onboardedTraderId }: Proposal): string {
  if (onboardedTraderId === undefined) throw new Error('The proposal was not accepted.');
  return onboardedTraderId;
}
