import type { GetTraderRequest__Output } from '@saleschannel/contracts/gen/traders/v1/GetTraderRequest';
import type { Trader } from '@saleschannel/contracts/gen/traders/v1/Trader';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { isStorable } from '../domain/trader.ts';
import { findTrader } from '../store/traders.ts';

export const getTrader =
  ({ database }: Context) =>
  async ({ traderId }: GetTraderRequest__Output, call: Call): Promise<Trader> => {
    const salesChannelId = salesChannelOf(call);
    const trader = isStorable(traderId) ? await findTrader(database.em(), salesChannelId, traderId) : undefined;
    if (!trader) throw notFound();
    return trader;
  };
