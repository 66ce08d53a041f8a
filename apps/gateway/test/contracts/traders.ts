import { inAnyOrder, interaction, oneOf, text, type Contract } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';

const entity = { businessId: 'NO-1', name: 'Fjordkarbon AS', address: { city: 'Oslo' } };
const asAdministrator = ({ channel }: { channel: string }) =>
  ({ salesChannelId: channel, roles: ['TRADER_ADMINISTRATOR'] }) as const;
const asViewer = ({ channel }: { channel: string }) => ({ salesChannelId: channel, roles: ['TRADER_VIEWER'] }) as const;
const asReader = ({ channel }: { channel: string }) =>
  ({ salesChannelId: channel, roles: ['TRADERONBOARDERPROPOSAL_VIEWER'] }) as const;
const asAccepter = ({ channel }: { channel: string }) =>
  ({ salesChannelId: channel, roles: ['TRADERONBOARDERPROPOSAL_ACCEPTER'] }) as const;

const trader = (id: string) => ({
  id,
  businessId: text('NO-1'),
  name: text('Fjordkarbon AS'),
  address: { city: text('Oslo') },
});
const proposal = (id: string) => ({ id, name: text('Havkalk AS'), businessId: text('NO-2') });

const bothTraders = 'a channel with an onboarded trader and one without account holder';
const names = { channel: 'c1', onboarded: 't1', plain: 't2' };

/** The gateway's requirements of traders: traders and proposals, with their required roles. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'traders',
  interactions: [
    interaction('traders.CreateTrader', {
      given: 'an account holder and a channel',
      values: { channel: 'c1' },
      as: asAdministrator,
      request: () => ({ idempotencyKey: 'key-1', ...entity }),
      answer: () => ({
        trader: { id: text('t1'), businessId: entity.businessId, name: entity.name },
        replayed: false,
      }),
    }),
    interaction('traders.UpdateTrader', {
      given: 'a trader',
      values: { channel: 'c1', trader: 't1' },
      as: asAdministrator,
      request: ({ trader: traderId }) => ({ traderId, mergePatchJson: '{"name":"Karbonfjord AS"}' }),
      answer: ({ trader: id }) => ({ ...trader(id), name: 'Karbonfjord AS' }),
    }),
    interaction('traders.GetTrader', {
      given: 'a trader',
      values: { channel: 'c1', trader: 't1' },
      as: asViewer,
      request: ({ trader: traderId }) => ({ traderId }),
      answer: ({ trader: id }) => trader(id),
    }),
    interaction('traders.GetTrader', {
      given: 'a trader of another channel',
      values: { channel: 'c1', foreign: 't3' },
      as: asViewer,
      request: ({ foreign }) => ({ traderId: foreign }),
      refusal: 'not-found',
    }),
    interaction('traders.ListTraders', {
      given: bothTraders,
      values: names,
      as: asViewer,
      request: () => ({ filter: {} }),
      answer: ({ onboarded, plain }) => inAnyOrder(trader(onboarded), trader(plain)),
    }),
    interaction('traders.PageTraders', {
      given: bothTraders,
      values: { ...names, plainName: 'Plain' },
      as: asViewer,
      request: ({ plainName }) => ({ filter: { namePrefix: plainName }, page: { limit: 1, offset: '0' } }),
      answer: ({ plain }) => ({ traders: [trader(plain)], next: undefined }),
    }),
    interaction('traders.PageTraders', {
      given: bothTraders,
      values: names,
      as: asViewer,
      request: () => ({ filter: { namePart: 'LAIN' }, page: { limit: 1, offset: '0' } }),
      answer: ({ plain }) => ({ traders: [trader(plain)], next: undefined }),
    }),
    interaction('traders.ListProposals', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p1' },
      as: asReader,
      request: () => ({ status: 'PENDING' }),
      answer: ({ proposal: id }) => [{ ...proposal(id), status: 'PENDING', onboardedTraderId: undefined }],
    }),
    interaction('traders.PageProposals', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p1' },
      as: asReader,
      request: () => ({ page: { limit: 10, offset: '0' } }),
      answer: ({ proposal: id }) => ({
        proposals: [{ ...proposal(id), status: oneOf('PENDING', 'ACCEPTED', 'REJECTED') }],
        next: undefined,
      }),
    }),
    interaction('traders.PageProposals', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p1' },
      as: asReader,
      request: ({ proposal: search }) => ({ search, page: { limit: 10, offset: '0' } }),
      answer: ({ proposal: id }) => ({ proposals: [{ id, name: text('Havkalk AS') }], searched: true }),
    }),
    interaction('traders.PageHolderProposals', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p1', holder: 'h1' },
      as: ({ holder }) => ({ accountHolderId: holder }),
      request: () => ({ page: { limit: 100, offset: '0' } }),
      answer: ({ channel, holder, proposal: id }) => ({
        proposals: [{ ...proposal(id), status: 'PENDING', accountHolderId: holder, salesChannelId: channel }],
        next: undefined,
      }),
    }),
    interaction('traders.AcceptProposal', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p1' },
      as: asAccepter,
      request: ({ proposal: proposalId }) => ({ proposalId }),
      answer: ({ proposal: id }) => ({ ...proposal(id), status: 'ACCEPTED', onboardedTraderId: text('t1') }),
    }),
    interaction('traders.RejectProposal', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p1' },
      as: asAccepter,
      request: ({ proposal: proposalId }) => ({ proposalId }),
      answer: ({ proposal: id }) => ({ ...proposal(id), status: 'REJECTED', onboardedTraderId: 'NOT_ONBOARDED' }),
    }),
    ...trail('both'),
  ],
};
