import { isRole, type UserPrincipal } from '@saleschannel/auth';
import { unavailable } from '@saleschannel/errors';
import type { Call, CallOptions, ReplyOf } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';
import type { Context } from '../context.ts';

const TIMEOUT_MS = 3_000;

/** @throws DomainError 'unavailable' for any failure, because the fault is not the credential's */
async function ask<Reply>(
  logger: Logger,
  failure: string,
  within: Call,
  send: (options: CallOptions) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await send({ within, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    logger.warn({ err: error }, failure);
    throw unavailable(error);
  }
}

type BindingReply = ReplyOf<'bindingDirectory.FindBinding'>;

/** Finds the binding of a user with its channel. @throws DomainError 'unavailable' */
export const findBinding = (
  { rbac, logger }: Pick<Context, 'rbac' | 'logger'>,
  userId: string,
  call: Call,
): Promise<BindingReply> =>
  ask(logger, 'the rights of a user cannot be read', call, (options) => rbac.FindBinding({ userId }, options));

type Rights = Pick<UserPrincipal, 'salesChannelId' | 'roles' | 'isSuspended'>;

/** Finds the user's current rights, which their API keys share. @throws DomainError 'unavailable' */
export async function findRights(
  context: Pick<Context, 'rbac' | 'logger'>,
  userId: string,
  call: Call,
): Promise<Rights> {
  const { binding, salesChannel } = await findBinding(context, userId, call);
  if (!binding) return { salesChannelId: undefined, roles: [] };
  return {
    salesChannelId: binding.salesChannelId,
    roles: binding.roles.filter(isRole),
    isSuspended: salesChannel?.status === 'SUSPENDED' || undefined,
  };
}

type AccountHolder = ReplyOf<'accountHolderDirectory.GetAccountHolders'>['accountHolders'][number];

/** @throws DomainError 'unavailable' */
export async function findAccountHolder(
  { accountHolders, logger }: Pick<Context, 'accountHolders' | 'logger'>,
  accountHolderId: string,
  call: Call,
): Promise<AccountHolder | undefined> {
  const found = await ask(logger, 'an account holder cannot be read', call, (options) =>
    accountHolders.GetAccountHolders({ accountHolderIds: [accountHolderId] }, options),
  );
  return found.accountHolders[0];
}

/** Reports whether an account holder is a registry and not suspended. Not cached: changes take effect at once. */
export async function isWorkingRegistry(
  context: Pick<Context, 'accountHolders' | 'logger'>,
  accountHolderId: string,
  call: Call,
): Promise<boolean> {
  const holder = await findAccountHolder(context, accountHolderId, call);
  return holder?.kind === 'REGISTRY' && holder.status === 'ACTIVE';
}
