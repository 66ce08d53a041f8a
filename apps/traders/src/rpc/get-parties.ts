import type { GetPartiesRequest__Output } from '@saleschannel/contracts/gen/traders/v1/GetPartiesRequest';
import type { GetPartiesResponse } from '@saleschannel/contracts/gen/traders/v1/GetPartiesResponse';
import type { Context } from '../context.ts';
import { isStorable } from '../domain/trader.ts';
import { findParties } from '../store/parties.ts';
import { boundKeys, partyMessage } from './parties.ts';

/** On the way of every transfer. */
export const getParties =
  ({ database }: Context) =>
  async ({ keys }: GetPartiesRequest__Output): Promise<GetPartiesResponse> => {
    boundKeys(keys);
    const storable = keys.filter(({ salesChannelId, traderId }) => isStorable(salesChannelId) && isStorable(traderId));
    if (storable.length === 0) return { parties: [] };
    const rows = await findParties(database.em(), storable);
    return { parties: rows.map(partyMessage) };
  };
