import { unavailable } from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

const TIMEOUT_MS = 3_000;

type AccountHolder = ReplyOf<'accountHolderDirectory.GetAccountHolders'>['accountHolders'][number];
type Dependencies = Pick<Context, 'accountHolders' | 'logger'>;

/** @throws DomainError 'unavailable', because the fault is not the credential's */
export async function findAccountHolder(
  { accountHolders, logger }: Dependencies,
  accountHolderId: string,
  call: Call,
): Promise<AccountHolder | undefined> {
  try {
    const found = await accountHolders.GetAccountHolders(
      { accountHolderIds: [accountHolderId] },
      { within: call, timeoutMs: TIMEOUT_MS },
    );
    return found.accountHolders[0];
  } catch (error) {
    logger.warn({ err: error }, 'an account holder cannot be read');
    throw unavailable(error);
  }
}

/** Reports whether an account holder is a registry and not suspended. Not cached: changes take effect at once. */
export async function isWorkingRegistry(context: Dependencies, accountHolderId: string, call: Call): Promise<boolean> {
  const holder = await findAccountHolder(context, accountHolderId, call);
  return holder?.kind === 'REGISTRY' && holder.status === 'ACTIVE';
}
