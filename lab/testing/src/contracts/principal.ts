import type { Principal } from '@saleschannel/auth';
import { newId } from '@saleschannel/primitives';
import type { PrincipalOf } from './contract.ts';

/** Somebody with the claims that a contract names. */
export function principalOf(as: PrincipalOf): Principal {
  if ('kind' in as) return { keyId: newId(), ...as };
  return { kind: 'user', userId: newId(), salesChannelId: undefined, roles: [], accountHolderId: undefined, ...as };
}
