import { internal } from '@saleschannel/errors';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

/** What traders are called. Asked each time, for names change. */
export const createTraderNames =
  (traders: ServiceClient<'traderDirectory'>): Context['nameTraders'] =>
  async (salesChannelId, traderIds, within) => {
    const keys = traderIds.map((traderId) => ({ salesChannelId, traderId }));
    const { parties } = await traders.DescribeParties({ keys }, { within });
    const names = new Map(parties.map(({ traderId, name }) => [traderId, name]));
    return (id) => {
      const name = names.get(id);
      // No trader is ever deleted, so one that took part in a transaction is there.
      if (name === undefined) throw internal();
      return { id, name };
    };
  };
