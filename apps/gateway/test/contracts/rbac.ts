import { among, inAnyOrder, instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';
import { headRequirements, trail } from './audit/trail.ts';

/** A user bound to the channel: changes require the binding, not only the token. */
const asAdministrator = ({ channel, administrator }: { channel: string; administrator: string }) =>
  ({ userId: administrator, salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }) as const;
const at = '2026-01-01T00:00:00.000Z';

const member = 'a user who may see assets of a channel, and one who is bound to none';
const invited = 'a channel with an invitation, and somebody who has its token';

/** The gateway's requirements of rbac: bindings, roles, users and invitations, with their required roles. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'rbac',
  interactions: [
    interaction('rbac.GetOwnBinding', {
      given: member,
      values: { channel: 'c1', user: 'u1' },
      as: ({ channel, user }) => ({ userId: user, salesChannelId: channel, roles: [] }),
      request: () => ({}),
      answer: ({ channel, user }) => ({ userId: user, salesChannelId: channel, roles: ['ASSET_VIEWER'] }),
    }),
    interaction('rbac.GetUserBinding', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', user: 'u1' },
      as: asAdministrator,
      request: ({ user }) => ({ userId: user }),
      answer: ({ channel, user }) => ({ userId: user, salesChannelId: channel, roles: ['ASSET_VIEWER'] }),
    }),
    interaction('rbac.GetUserBinding', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', stranger: 'u2' },
      as: asAdministrator,
      request: ({ stranger }) => ({ userId: stranger }),
      refusal: 'not-found',
    }),
    interaction('rbac.ListUsers', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', user: 'u1' },
      as: asAdministrator,
      request: () => ({}),
      answer: ({ user, administrator }) =>
        inAnyOrder(
          {
            userId: user,
            issuer: text('https://id.example'),
            subject: text('anna'),
            roles: ['ASSET_VIEWER'],
            email: undefined,
          },
          {
            userId: administrator,
            issuer: text('https://id.example'),
            subject: text('berit'),
            roles: ['ROLE_ADMINISTRATOR'],
          },
        ),
    }),
    interaction('rbac.BindUser', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', stranger: 'u2' },
      as: asAdministrator,
      request: ({ channel, stranger }) => ({ userId: stranger, salesChannelId: channel }),
      answer: ({ channel, stranger }) => ({ userId: stranger, salesChannelId: channel, roles: [] }),
    }),
    interaction('rbac.UnbindUser', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', user: 'u1' },
      as: asAdministrator,
      request: ({ channel, user }) => ({ userId: user, salesChannelId: channel }),
      answer: ({ channel, user }) => ({ userId: user, salesChannelId: channel, roles: ['ASSET_VIEWER'] }),
    }),
    interaction('rbac.GrantRole', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', user: 'u1' },
      as: asAdministrator,
      request: ({ channel, user }) => ({ userId: user, salesChannelId: channel, role: 'EVENT_VIEWER' }),
      answer: ({ channel, user }) => ({ userId: user, salesChannelId: channel, role: 'EVENT_VIEWER' }),
    }),
    interaction('rbac.RemoveRole', {
      given: member,
      values: { channel: 'c1', administrator: 'u0', user: 'u1' },
      as: asAdministrator,
      request: ({ channel, user }) => ({ userId: user, salesChannelId: channel, role: 'ASSET_VIEWER' }),
      answer: ({ channel, user }) => ({ userId: user, salesChannelId: channel, role: 'ASSET_VIEWER' }),
    }),
    interaction('rbac.CreateInvitation', {
      given: member,
      values: { channel: 'c1', administrator: 'u0' },
      as: asAdministrator,
      request: () => ({ email: 'anna@id.example', roles: ['EVENT_VIEWER'] }),
      answer: () => ({
        invitation: {
          id: text('i1'),
          email: 'anna@id.example',
          roles: ['EVENT_VIEWER'],
          createdOn: instant(at),
          expiresAt: instant(at),
          createdBy: text('u9'),
          status: 'PENDING',
        },
        token: text('scs_inv_x'),
      }),
    }),
    interaction('rbac.ListInvitations', {
      given: invited,
      values: { channel: 'c1', administrator: 'u0', invitation: 'i1' },
      as: asAdministrator,
      request: () => ({}),
      answer: ({ invitation }) => ({
        invitations: [
          {
            id: invitation,
            email: undefined,
            roles: ['EVENT_VIEWER'],
            createdOn: instant(at),
            expiresAt: instant(at),
            createdBy: text('u9'),
            status: 'PENDING',
            acceptedBy: undefined,
          },
        ],
      }),
    }),
    interaction('rbac.RevokeInvitation', {
      given: invited,
      values: { channel: 'c1', administrator: 'u0', invitation: 'i1' },
      as: asAdministrator,
      request: ({ invitation }) => ({ invitationId: invitation }),
      answer: ({ invitation }) => ({
        id: invitation,
        roles: ['EVENT_VIEWER'],
        createdOn: instant(at),
        expiresAt: instant(at),
        createdBy: text('u9'),
        status: 'REVOKED',
      }),
    }),
    interaction('rbac.AcceptInvitation', {
      given: invited,
      values: { channel: 'c1', user: 'u1', token: 'scs_inv_x' },
      as: ({ user }) => ({ userId: user }),
      request: ({ token }) => ({ token }),
      answer: ({ channel, user }) => ({ userId: user, salesChannelId: channel, roles: ['EVENT_VIEWER'] }),
    }),
    interaction('rbac.PageOpenSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1', name: 'Nordic' },
      as: () => ({ accountHolderId: 'h1' }),
      request: () => ({ page: { limit: 1_000, offset: '0' } }),
      answer: ({ channel: id, name }) => ({ salesChannels: among({ id, name }), next: undefined }),
    }),
    interaction('rbac.PageOpenSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1', name: 'Nordic' },
      as: () => ({ accountHolderId: 'h1' }),
      request: ({ name: search }) => ({ search, page: { limit: 10, offset: '0' } }),
      answer: ({ channel: id, name }) => ({ salesChannels: [{ id, name }], searched: true }),
    }),
    ...trail('channels'),
    headRequirements,
  ],
};
