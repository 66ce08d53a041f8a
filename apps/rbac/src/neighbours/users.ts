import { DomainError } from '@saleschannel/errors';
import type { Call, ServiceClient } from '@saleschannel/grpc';

/**
 * Whether identity knows a user. Any other refusal of identity is a fault between the services, not one of the request.
 * @throws DomainError 'unavailable' when identity cannot be reached
 */
export async function userExists(
  identity: ServiceClient<'userDirectory'>,
  userId: string,
  call: Call,
): Promise<boolean> {
  try {
    await identity.GetUser({ userId }, { within: call });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not-found') return false;
    if (error instanceof DomainError && error.code === 'unavailable') throw error;
    throw new Error('identity does not answer who a user is', { cause: error });
  }
}
