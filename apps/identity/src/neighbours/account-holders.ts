import { unavailable } from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

const GET_ACCOUNT_HOLDERS_TIMEOUT_MS = 3_000;

type AccountHolder = ReplyOf<'accountHolderDirectory.GetAccountHolders'>['accountHolders'][number];
type Asking = Pick<Context, 'accountHolders' | 'logger'>;

/** @throws DomainError 'unavailable': a fault here is no fault of a credential */
export async function findAccountHolder(
  { accountHolders, logger }: Asking,
  accountHolderId: string,
  call: Call,
): Promise<AccountHolder | undefined> {
  try {
    const found = await accountHolders.GetAccountHolders(
      { accountHolderIds: [accountHolderId] },
      { within: call, timeoutMs: GET_ACCOUNT_HOLDERS_TIMEOUT_MS },
    );
    return found.accountHolders[0];
  } catch (error) {
    logger.warn({ err: error }, 'an account holder cannot be read');
    throw unavailable(error);
  }
}

/** Whether the operator has named it a registry, and has not suspended it. Asked each time: both count at once. */
export async function isWorkingRegistry(context: Asking, accountHolderId: string, call: Call): Promise<boolean> {
  const holder = await findAccountHolder(context, accountHolderId, call);
  return holder?.kind === 'REGISTRY' && holder.status === 'ACTIVE';
}
