import { isRole, type UserPrincipal } from '@saleschannel/auth';
import { unavailable } from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

const TIMEOUT_MS = 3_000;

type Dependencies = Pick<Context, 'rbac' | 'logger'>;
type BindingReply = ReplyOf<'bindingDirectory.FindBinding'>;

/** Finds the binding of a user with its channel. @throws DomainError 'unavailable' */
export async function findBinding({ rbac, logger }: Dependencies, userId: string, call: Call): Promise<BindingReply> {
  try {
    return await rbac.FindBinding({ userId }, { within: call, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    logger.warn({ err: error }, 'the rights of a user cannot be read');
    throw unavailable(error);
  }
}

type Rights = Pick<UserPrincipal, 'salesChannelId' | 'roles' | 'isSuspended'>;

/** Finds the user's current rights, which their API keys share. @throws DomainError 'unavailable' */
export async function findRights(context: Dependencies, userId: string, call: Call): Promise<Rights> {
  const { binding, salesChannel } = await findBinding(context, userId, call);
  if (!binding) return { salesChannelId: undefined, roles: [] };
  return {
    salesChannelId: binding.salesChannelId,
    roles: binding.roles.filter(isRole),
    isSuspended: salesChannel?.status === 'SUSPENDED' || undefined,
  };
}
