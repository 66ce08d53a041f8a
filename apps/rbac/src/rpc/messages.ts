import type { ResponseOf } from '@saleschannel/grpc';
import type { Invitation } from '../domain/invitation.ts';
import type { SalesChannel } from '../domain/sales-channel.ts';

export const toSalesChannelMessage = ({
  suspendedAt,
  suspendedReason,
  closedAt,
  closedReason,
  ...channel
}: SalesChannel): ResponseOf<'bindingDirectory.GetSalesChannel'> => ({
  ...channel,
  ...(suspendedAt === null ? {} : { suspendedAt }),
  ...(suspendedReason === null ? {} : { suspendedReason }),
  ...(closedAt === null ? {} : { closedAt }),
  ...(closedReason === null ? {} : { closedReason }),
});

/** Omits the channel, which is the reader's own. */
export function toInvitationMessage(invitation: Invitation): ResponseOf<'rbac.RevokeInvitation'> {
  const { id, email, roles, createdOn, expiresAt, createdBy, status, acceptedBy } = invitation;
  return {
    id,
    ...(email === null ? {} : { email }),
    roles,
    createdOn,
    expiresAt,
    createdBy,
    status,
    ...(acceptedBy === null ? {} : { acceptedBy }),
  };
}
