import { isRole, roles, type Role } from '@saleschannel/auth';
import { invalidRequest, requestRefused } from '@saleschannel/errors';

/** What a user may do, and where. */
export interface Binding {
  readonly userId: string;
  readonly salesChannelId: string;
  readonly roles: readonly Role[];
}

/** In the order of the API's enumeration, so that the same roles always look the same. */
export const inOrder = (held: readonly string[]): Role[] => roles.filter((role) => held.includes(role));

/** @throws DomainError 'invalid-request' */
export function roleOf(text: string, parameter: string): Role {
  if (isRole(text)) return text;
  throw invalidRequest('The role is not valid.', [
    { parameter, detail: `must be one of ${roles.join(', ')}`, code: 'role-unknown' },
  ]);
}

/**
 * A channel without an administrator could never get one again by itself.
 * @param administrators of the channel, the user among them or not
 * @throws DomainError 'request-refused'
 */
export function refuseLastAdministrator(userId: string, administrators: readonly string[]): void {
  if (administrators.length > 1 || !administrators.includes(userId)) return;
  throw requestRefused('The user is the last ROLE_ADMINISTRATOR of the sales channel: make another user one first.');
}
