import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import type { Profile, User, UserClaims } from '../domain/user.ts';
import { findUserByClaims, insertUserOnce } from '../store/users.ts';

/**
 * Finds the user, or makes them known. At the same time in many places, they are still made once. No transaction: each
 * statement is right by itself, and the first one is enough for everybody who is known.
 * @param profile what the token says of a user whom nobody knows yet
 */
export async function ensureUser(
  database: Pick<Database, 'em'>,
  claims: UserClaims,
  profile: Profile = {},
): Promise<User> {
  const em = database.em();
  const known = await findUserByClaims(em, claims);
  if (known) return known;
  await insertUserOnce(em, claims, { ...profile, id: newId() });
  const made = await findUserByClaims(em, claims);
  if (!made) throw new Error('a user is missing: users are never deleted');
  return made;
}
