import type { Party } from '@saleschannel/contracts/gen/traders/v1/Party';
import { invalidRequest } from '@saleschannel/errors';
import type { PartyRow } from '../store/parties.ts';

const KEYS_AT_MOST = 10_000;

/** @throws DomainError 'invalid-request' when there are more keys than one question may hold */
export function boundKeys(keys: readonly unknown[]): void {
  if (keys.length > KEYS_AT_MOST) throw invalidRequest(`At most ${KEYS_AT_MOST} keys can be looked up at once.`);
}

export const partyMessage = ({ salesChannelId, traderId, accountHolderId }: PartyRow): Party =>
  accountHolderId === null ? { salesChannelId, traderId } : { salesChannelId, traderId, accountHolderId };
