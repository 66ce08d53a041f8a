import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toBinding } from './bindings.ts';

const toInvitation = (invitation: ReplyOf<'rbac.RevokeInvitation'>) => {
  const { id, email, roles, createdOn, expiresAt, createdBy, status, acceptedBy } = invitation;
  return {
    id,
    email: email ?? null,
    roles,
    createdOn,
    expiresAt,
    createdBy,
    status,
    acceptedBy: acceptedBy ?? null,
  };
};

export interface InvitationOptions {
  /** URL of the account portal. Undefined without one. */
  readonly portalUrl: string | undefined;
}

/** URL of the page that accepts an invitation. Browsers do not send the fragment, the token, to servers. */
const invitationUrl = (portalUrl: string | undefined, token: string): string | null =>
  portalUrl === undefined ? null : `${portalUrl.replace(/\/{1,9}$/, '')}/invitation#${token}`;

type InvitationHandlers = Pick<
  Handlers,
  'listInvitations' | 'createInvitation' | 'revokeInvitation' | 'acceptInvitation'
>;

/** Invitations to a sales channel. */
export const createInvitationHandlers = ({ rbac }: Clients, { portalUrl }: InvitationOptions): InvitationHandlers => ({
  listInvitations: async (_input, { callOptions }) =>
    createJsonAnswer(200, (await rbac.ListInvitations({}, callOptions)).invitations.map(toInvitation)),
  createInvitation: async ({ body: { email, roles } }, { callOptions }) => {
    const { invitation, token } = await rbac.CreateInvitation({ roles, ...(email && { email }) }, callOptions);
    if (!invitation) throw new Error('rbac answered without the invitation');
    return createJsonAnswer(201, {
      ...toInvitation(invitation),
      acceptedBy: null,
      token,
      url: invitationUrl(portalUrl, token),
    });
  },
  revokeInvitation: async ({ path }, { callOptions }) =>
    createJsonAnswer(200, toInvitation(await rbac.RevokeInvitation(path, callOptions))),
  acceptInvitation: async ({ body }, { callOptions }) =>
    createJsonAnswer(201, toBinding(await rbac.AcceptInvitation(body, callOptions))),
});
