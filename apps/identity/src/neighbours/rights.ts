import { isRole, type UserPrincipal } from '@saleschannel/auth';
import { unavailable } from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

const FIND_BINDING_TIMEOUT_MS = 3_000;

type Asking = Pick<Context, 'rbac' | 'logger'>;
type Found = ReplyOf<'bindingDirectory.FindBinding'>;

/** The binding of a user with its channel. @throws DomainError 'unavailable' */
export async function findBinding({ rbac, logger }: Asking, userId: string, call: Call): Promise<Found> {
  try {
    return await rbac.FindBinding({ userId }, { within: call, timeoutMs: FIND_BINDING_TIMEOUT_MS });
  } catch (error) {
    logger.warn({ err: error }, 'the rights of a user cannot be read');
    throw unavailable(error);
  }
}

type Rights = Pick<UserPrincipal, 'salesChannelId' | 'roles' | 'isSuspended'>;

/** The user's rights of this moment: an API key has them too. A fault here is no fault of the credential. */
export async function findRights(context: Asking, userId: string, call: Call): Promise<Rights> {
  const { binding, salesChannel } = await findBinding(context, userId, call);
  if (!binding) return { salesChannelId: undefined, roles: [] };
  return {
    salesChannelId: binding.salesChannelId,
    roles: binding.roles.filter(isRole),
    isSuspended: salesChannel?.status === 'SUSPENDED' || undefined,
  };
}
