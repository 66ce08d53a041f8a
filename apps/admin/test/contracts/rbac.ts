import { among, inAnyOrder, instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

const at = '2026-01-01T00:00:00.000Z';
const channelOf = (id: unknown, name: unknown) =>
  ({ id, name, status: 'ACTIVE', suspendedAt: undefined, closedAt: undefined }) as { id: string; name: string };
const bound = 'a user who may see assets of a channel, and one who is bound to none';
const bindingOf = (userId: string, salesChannelId: string, ...roles: string[]) => ({ userId, salesChannelId, roles });

/** Operators need from rbac sales channels with their status, and bindings. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'rbac',
  interactions: [
    interaction('rbacAdministration.CreateSalesChannel', {
      given: 'a sales channel',
      values: { newName: 'Nordic' },
      request: ({ newName: name }) => ({ name }),
      answer: ({ newName }) => channelOf(text('c9'), newName),
    }),
    interaction('rbacAdministration.ListSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1', name: 'Nordic' },
      request: () => ({}),
      answer: ({ channel, name }) => ({ salesChannels: among(channelOf(channel, name)) }),
    }),
    interaction('rbacAdministration.RenameSalesChannel', {
      given: 'a sales channel',
      values: { channel: 'c1', newName: 'Arctic' },
      request: ({ channel: salesChannelId, newName: name }) => ({ salesChannelId, name, reason: 'by order' }),
      answer: ({ channel, newName }) => channelOf(channel, newName),
    }),
    interaction('rbacAdministration.SuspendSalesChannel', {
      given: 'a sales channel',
      values: { channel: 'c1', name: 'Nordic' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId, reason: 'by order' }),
      answer: ({ channel: id, name }) => ({
        id,
        name,
        status: 'SUSPENDED',
        suspendedAt: instant(at),
        suspendedReason: 'by order',
      }),
    }),
    interaction('rbacAdministration.SuspendSalesChannel', {
      given: 'an id of no sales channel',
      values: { channel: 'c9' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId, reason: 'by order' }),
      refusal: 'not-found',
    }),
    interaction('rbacAdministration.ResumeSalesChannel', {
      given: 'a suspended sales channel',
      values: { channel: 'c2' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: ({ channel }) => channelOf(channel, text('Nordic')),
    }),
    interaction('rbacAdministration.CloseSalesChannel', {
      given: 'a sales channel that was suspended long ago',
      values: { channel: 'c3' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId, reason: 'contract ended' }),
      answer: ({ channel: id }) => ({
        id,
        name: text('Nordic'),
        status: 'SUSPENDED',
        suspendedAt: instant(at),
        suspendedReason: text('by order'),
        closedAt: instant(at),
        closedReason: 'contract ended',
      }),
    }),
    interaction('rbacAdministration.AssignRoles', {
      given: bound,
      values: { channel: 'c1', stranger: 'u1' },
      request: ({ channel: salesChannelId, stranger: userId }) => ({ userId, salesChannelId, roles: ['EVENT_VIEWER'] }),
      answer: ({ channel, stranger }) => bindingOf(stranger, channel, 'EVENT_VIEWER'),
    }),
    interaction('rbacAdministration.AssignRoles', {
      given: 'a user of no channel, and an id of none',
      values: { nothing: 'c9', user: 'u1' },
      request: ({ nothing: salesChannelId, user: userId }) => ({ userId, salesChannelId, roles: ['EVENT_VIEWER'] }),
      refusal: 'not-found',
    }),
    interaction('rbacAdministration.ListBindings', {
      given: bound,
      values: { channel: 'c1', administrator: 'u0', user: 'u2' },
      request: ({ channel: salesChannelId }) => ({ limit: 100, salesChannelId }),
      answer: ({ channel, administrator, user }) => ({
        bindings: inAnyOrder(
          bindingOf(administrator, channel, 'ROLE_ADMINISTRATOR'),
          bindingOf(user, channel, 'ASSET_VIEWER'),
        ),
      }),
    }),
    interaction('rbacAdministration.EndBinding', {
      given: bound,
      values: { channel: 'c1', user: 'u2' },
      request: ({ user: userId }) => ({ userId }),
      answer: ({ channel, user }) => ({
        binding: bindingOf(user, channel, 'ASSET_VIEWER'),
        wasLastAdministrator: false,
      }),
    }),
    interaction('rbacAdministration.EndBinding', {
      given: bound,
      values: { channel: 'c1', administrator: 'u0' },
      request: ({ administrator: userId }) => ({ userId }),
      answer: ({ channel, administrator }) => ({
        binding: bindingOf(administrator, channel, 'ROLE_ADMINISTRATOR'),
        wasLastAdministrator: true,
      }),
    }),
    interaction('rbacAdministration.EndBinding', {
      given: 'a user of no channel',
      values: { user: 'u3' },
      request: ({ user: userId }) => ({ userId }),
      answer: () => ({ binding: null, wasLastAdministrator: false }),
    }),
    auditTrail('an act on a sales channel'),
    lookUp('a sales channel', 'channel'),
  ],
};
