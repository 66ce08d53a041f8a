import { DomainError, notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';

/**
 * Whether there is such a user. Other refusals than that are a fault between the services, not one of the request.
 * @throws DomainError 'unavailable' when identity cannot be reached
 */
export async function userExists(context: Context, userId: string, call: Call): Promise<boolean> {
  if (!isId(userId)) return false;
  try {
    await context.users.GetUser({ userId }, { within: call });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not-found') return false;
    if (error instanceof DomainError && error.code === 'unavailable') throw error;
    throw new Error('identity does not answer who a user is', { cause: error });
  }
}

/** @throws DomainError 'not-found' */
export function checkId(id: string): void {
  if (!isId(id)) throw notFound();
}
