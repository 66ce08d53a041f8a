import { DomainError } from '@saleschannel/errors';
import type { Call, ReplyOf, ServiceClient } from '@saleschannel/grpc';

/**
 * Reports whether identity knows a user. Any other refusal is a fault between the services, not of the request.
 * @throws DomainError 'unavailable' if identity cannot be reached
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
    throw new Error('identity refused to look up a user.', { cause: error });
  }
}

export type KnownUser = ReplyOf<'userDirectory.GetUsers'>['users'][number];

/** Finds users by id. Unknown users are missing in the result. */
export async function findUsers(
  identity: ServiceClient<'userDirectory'>,
  userIds: readonly string[],
  call: Call,
): Promise<ReadonlyMap<string, KnownUser>> {
  const { users } = await identity.GetUsers({ userIds: [...userIds] }, { within: call });
  return new Map(users.map((user) => [user.id, user]));
}
