import type { FindOnboardedTradersRequest__Output } from '@saleschannel/contracts/gen/traders/v1/FindOnboardedTradersRequest';
import type { FindOnboardedTradersResponse } from '@saleschannel/contracts/gen/traders/v1/FindOnboardedTradersResponse';
import type { Context } from '../context.ts';
import { isStorable } from '../domain/trader.ts';
import { findOnboarded } from '../store/parties.ts';
import { boundKeys, partyMessage } from './parties.ts';

export const findOnboardedTraders =
  ({ database }: Context) =>
  async ({ keys }: FindOnboardedTradersRequest__Output): Promise<FindOnboardedTradersResponse> => {
    boundKeys(keys);
    const storable = keys.filter(
      ({ salesChannelId, accountHolderId }) => isStorable(salesChannelId) && isStorable(accountHolderId),
    );
    if (storable.length === 0) return { parties: [] };
    const rows = await findOnboarded(database.em(), storable);
    return { parties: rows.map(partyMessage) };
  };
